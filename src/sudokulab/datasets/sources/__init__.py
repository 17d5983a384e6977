"""Read the files of data sets, in blocks of rows."""
