"""Words that figures, tables and sentences share."""


def turns(kind: int) -> str:
    """What a puzzle's type means."""
    return {1: "turns known", 2: "turns unknown"}.get(kind, f"type {kind}")


def counted(number: int, word: str) -> str:
    """``1 puzzle``, ``2 puzzles``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
