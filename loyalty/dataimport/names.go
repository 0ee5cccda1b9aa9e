package dataimport

// Names of columns that identify a customer, in files of other programs in English, Polish, German, French and Spanish.
var (
	EmailNames = []string{
		"e-mail", "mail", "e-mail address", "user email", "billing email", "customer email", "adres e-mail",
		"poczta", "e-mail-adresse", "adresse e-mail", "courriel", "correo", "correo electrónico", "email",
	}
	PhoneNames = []string{
		"telephone", "phone number", "mobile", "mobile phone", "cell phone", "billing phone", "telefon",
		"numer telefonu", "telefon komórkowy", "komórka", "telefonnummer", "handy", "mobiltelefon",
		"téléphone", "numéro de téléphone", "portable", "teléfono", "móvil", "phone",
	}
	CardNames = []string{
		"card", "card number", "loyalty card", "reference id", "karta", "numer karty", "karte",
		"kartennummer", "kundenkarte", "carte", "numéro de carte", "tarjeta", "número de tarjeta",
		"loyaltyCardNumber",
	}
)
