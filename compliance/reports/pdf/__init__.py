"""A Document as PDF: page rendering, tables that break over pages, attached files."""
