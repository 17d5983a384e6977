"""Reproductions of five papers, one subpackage each, and a comparison of all solvers; `catalogue` lists them."""
