"""The promotions board and calendar, assembled from terms, draws and claims."""
