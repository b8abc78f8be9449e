"""PDFs.

canvas.py             ReportLab canvas and paragraphs that can print any script
signer.py             PAdES signature of every PDF that is handed out
verify_signature.py   the bytes of the signature and their check; shipped inside verify_report.py
"""
