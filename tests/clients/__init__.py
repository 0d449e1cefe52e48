"""DocRouter's published clients, unmodified, against the server as a process."""
