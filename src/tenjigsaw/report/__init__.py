"""Figures, and one page that shows all a bench found."""
