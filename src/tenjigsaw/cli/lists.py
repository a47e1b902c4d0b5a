"""`tenjigsaw measures` and `tenjigsaw solvers`: what there is."""


def measures() -> None:
    """List the measures.

    Example: tenjigsaw measures
    """
    from tenjigsaw.cli.console import show_table
    from tenjigsaw.measures import create_measure, list_measures

    best = create_measure("default").name
    rows = [{"measure": m.name, "what it compares": m.summary, "default": m.name == best} for m in list_measures()]
    show_table("Measures", rows)


def solvers() -> None:
    """List the solvers.

    Example: tenjigsaw solvers
    """
    from tenjigsaw.cli.console import show_table
    from tenjigsaw.solvers import create_solver, list_solvers

    best = create_solver("default").name
    rows = [{"solver": s.name, "how it places pieces": s.summary, "default": s.name == best} for s in list_solvers()]
    show_table("Solvers", rows)
