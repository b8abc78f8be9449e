"""Files on disk.

atomic_write.py   replaces a file in one step
key_files.py      keys and secrets that only the service's user can read
uploads.py        uploaded PDF, PNG and JPEG files: detected by content, limited in size
"""
