"""PDFs.

page_layout.py        the one layout: styles, labelled values, sections, header, footer, attachments
sections.py           structure of a document's content: sections, tables, labelled values
grid.py               tables that break over hundreds of pages
canvas.py             canvas, paragraphs and line breaks for text in any script
attachments.py        attached files by an incremental update; shipped inside verify_report.py
signer.py             PAdES signature of every PDF that is handed out
verify_signature.py   the bytes of the signature and their check; shipped inside verify_report.py
"""
