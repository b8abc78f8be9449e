"""Personal data: patrons' details with their retention (personal_data), and who saw or exported what (access_log)."""
