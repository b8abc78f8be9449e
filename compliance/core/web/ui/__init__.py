"""What pages are made of: components, forms and fields, charts, navigation, banners, confirm pages, table export
and the slot for saved views.
"""
