"""Internal helpers. Not a public interface."""
