module punchcard/clients/go

go 1.24
