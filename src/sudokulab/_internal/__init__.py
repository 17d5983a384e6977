"""Helpers of the package. Not a public interface."""
