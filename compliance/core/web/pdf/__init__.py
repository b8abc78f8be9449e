"""PDFs: a canvas that prints any script, the signer of every PDF that is handed out, and the offline check of its
signature.
"""
