"""Learned edge measures: their input (no torch needed) and their torch definitions (extra ``train``)."""
