"""A table as Markdown, as LaTeX and as CSV."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

Cells = Mapping[str, Any]

_LATEX = {character: f"\\{character}" for character in "&%$#_{}"} | {"±": "$\\pm$", "\\": "\\textbackslash{}"}


@dataclass(frozen=True)
class Column:
    """A heading, and what stands below it."""

    heading: str
    text: Callable[[Cells], str]
    is_number: bool = True


@dataclass(frozen=True)
class Table:
    """``rows`` hold the plain values, which go to CSV; the columns say how a person reads them."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Cells]

    def lines(self) -> list[list[str]]:
        """The cells as a person reads them."""
        return [[column.text(row) for column in self.columns] for row in self.rows]

    def files(self) -> dict[str, str]:
        """The table in every form, by file name."""
        forms = {"md": self.markdown(), "tex": self.latex(), "csv": self.csv()}
        return {f"{self.name}.{ending}": text for ending, text in forms.items()}

    def markdown(self) -> str:
        """For a page."""
        head = [column.heading for column in self.columns]
        rule = ["---:" if column.is_number else "---" for column in self.columns]
        lines = [f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in (head, rule, *self.lines())]
        return "\n".join([self.title, "", *lines]) + "\n"

    def latex(self) -> str:
        """For a paper; needs the package booktabs."""
        align = "".join("r" if column.is_number else "l" for column in self.columns)
        head = _latex_line([column.heading for column in self.columns])
        body = [_latex_line(line) for line in self.lines()]
        lines = [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{_escaped(self.title)}}}",
            f"\\label{{tab:{self.name}}}",
            f"\\begin{{tabular}}{{{align}}}",
            *("\\toprule", head, "\\midrule", *body, "\\bottomrule"),
            "\\end{tabular}",
            "\\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """For further use."""
        file = StringIO()
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return file.getvalue()


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join(map(_escaped, cells)) + " \\\\"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def plain(name: str) -> Callable[[Cells], str]:
    """The value as it is; nothing where there is none."""
    return lambda row: "" if row.get(name) is None else str(row[name])


def percent(name: str) -> Callable[[Cells], str]:
    """A share in percent, with its spread over repeats where there is one."""

    def text(row: Cells) -> str:
        value, spread = row.get(name), row.get(f"{name}_spread")
        if value is None:
            return ""
        return f"{100 * value:.1f}" + ("" if spread is None else f" ± {100 * spread:.1f}")

    return text


def count(name: str) -> Callable[[Cells], str]:
    """How many there are."""
    return lambda row: "" if row.get(name) is None else count_text(row[name])


def count_text(number: float) -> str:
    """A count, or a mean of counts, which may lie between whole numbers."""
    return f"{number:.0f}" if is_whole(number) else f"{number:.1f}"


def is_whole(number: float) -> bool:
    """Whether there is nothing behind the point but what thirds leave there when they are added up."""
    return float(round(number, 6)).is_integer()


def gain(name: str) -> Callable[[Cells], str]:
    """A difference in points, with the interval it lies in."""

    def text(row: Cells) -> str:
        value, low, high = (row.get(f"{name}{part}") for part in ("", "_low", "_high"))
        if value is None or low is None or high is None:
            return ""
        return f"{100 * value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"

    return text


def seconds(name: str) -> Callable[[Cells], str]:
    """Seconds to three digits that count, without an exponent."""
    return lambda row: "" if row.get(name) is None else f"{float(f'{row[name]:.3g}'):.10g}"
