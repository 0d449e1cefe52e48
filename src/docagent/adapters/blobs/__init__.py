"""Where files are kept: a local folder or an S3-compatible store."""
