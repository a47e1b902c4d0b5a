"""Many puzzles, measures and solvers in one run: rows that survive a kill, and tables beside the paper's."""
