package customerapi

import "punchcard/loyalty/dataimport"

// Columns returns all fields, with the names that shop systems and spreadsheets in English, Polish, German, French and
// Spanish have for them, and those of our own export.
func (r *customerRecord) Columns() []dataimport.Column {
	return []dataimport.Column{
		{Name: "active", Text: &r.Active, Also: words("enabled", "aktywny", "aktiv", "actif", "activo")},
		{Name: "sendActivationMail", Text: &r.Greet},
		{Name: "name", Text: &r.Name, Extra: true, Parts: words("firstName", "lastName"), Also: words("full name", "customer",
			"customer name", "imię i nazwisko", "klient", "vollständiger name", "kunde", "nom complet", "client",
			"nombre completo", "cliente")},
		{Name: "firstName", Text: &r.FirstName, Also: words("given name", "forename", "billing first name", "imię", "vorname",
			"prénom", "nombre")},
		{Name: "lastName", Text: &r.LastName, Also: words("surname", "family name", "billing last name", "nazwisko",
			"nachname", "nom", "nom de famille", "apellido", "apellidos")},
		{Name: "gender", Text: &r.Gender, Also: words("sex", "title", "salutation", "social title", "płeć", "tytuł",
			"geschlecht", "anrede", "sexe", "civilité", "género", "sexo")},
		{Name: "birthDate", Text: &r.BirthDate, Type: dataimport.Date, Also: words("birthday", "date of birth", "dob",
			"data urodzenia", "urodziny", "geburtsdatum", "geburtstag", "date de naissance", "anniversaire",
			"fecha de nacimiento", "cumpleaños")},
		{Name: "email", Text: &r.Email, Also: dataimport.EmailNames},
		{Name: "phone", Text: &r.Phone, Also: dataimport.PhoneNames},
		{Name: "loyaltyCardNumber", Text: &r.Card, Also: dataimport.CardNames},
		{Name: "locale", Text: &r.Locale, Also: words("language", "język", "sprache", "langue", "idioma")},
		{Name: "createdAt", Text: &r.CreatedAt, Type: dataimport.DateTime, Also: words("registered", "registration",
			"registration date", "sign up", "signup date", "date registered", "customer since", "member since",
			"data rejestracji", "registriert am", "registrierungsdatum", "date d'inscription", "fecha de registro")},
		{Name: "address.street", Text: &r.Address.Street, Also: words("street", "address", "address line 1",
			"street address 1", "billing address 1", "default address address1", "ulica", "adres", "straße", "adresse", "rue",
			"calle", "dirección")},
		{Name: "address.address1", Text: &r.Address.Address1, Also: words("house number", "building", "numer domu",
			"hausnummer", "numéro", "número")},
		{Name: "address.address2", Text: &r.Address.Address2, Also: words("address line 2", "street address 2",
			"billing address 2", "default address address2", "flat", "numer mieszkania", "adresszusatz",
			"complément d'adresse")},
		{Name: "address.postal", Text: &r.Address.Postal, Also: words("postal code", "postcode", "zip", "zip code",
			"billing postcode", "default address zip", "kod pocztowy", "plz", "postleitzahl", "code postal",
			"código postal")},
		{Name: "address.city", Text: &r.Address.City, Also: words("city", "town", "billing city", "default address city",
			"miasto", "miejscowość", "stadt", "ort", "ville", "ciudad", "localidad")},
		{Name: "address.province", Text: &r.Address.Province, Also: words("province", "state", "region", "county",
			"billing state", "default address province code", "województwo", "bundesland", "provincia")},
		{Name: "address.country", Text: &r.Address.Country, Also: words("country", "country code", "country/region",
			"billing country", "default address country code", "kraj", "land", "pays", "país")},
		{Name: "company.name", Text: &r.Company.Name, Also: words("company", "organization", "billing company",
			"company name", "default address company", "firma", "nazwa firmy", "firmenname", "société", "entreprise",
			"empresa")},
		{Name: "company.nip", Text: &r.Company.NIP, Also: words("vat number", "tax number", "tax id", "nip", "ust-idnr",
			"umsatzsteuer-id", "numéro de tva", "nif", "cif")},
		{Name: "labels", Text: &r.LabelText},
		{Name: "tags", Text: &r.Tags, Extra: true, Also: words("customer tags", "schlagwörter", "étiquettes", "etiquetas")},
		{Name: "note", Text: &r.Note, Extra: true, Also: words("notes", "memo", "comment", "comments", "uwagi", "notatka",
			"notiz", "bemerkung", "remarque", "nota", "notas", "observaciones")},
		{Name: "totalSpent", Text: &r.TotalSpent, Type: dataimport.Number, Unit: dataimport.Money, Extra: true,
			Also: words("total spend", "lifetime spend", "sales")},
		{Name: "totalOrders", Text: &r.TotalOrders, Type: dataimport.Number, Extra: true,
			Also: words("orders", "transaction count")},
		{Name: "smsMarketing", Text: &r.AgreedToSMS, Extra: true, Also: words("accepts sms marketing",
			"sms subscription status")},
		{Name: "addressPhone", Text: &r.AddressPhone, Extra: true, Also: words("default address phone")},
		{Name: "agreement1", Text: &r.Agreement1, Also: words("legal agreement", "terms", "terms accepted", "regulamin")},
		{Name: "agreement2", Text: &r.Agreement2, Also: words("marketing agreement", "accepts marketing",
			"accepts email marketing", "email marketing", "newsletter", "email subscription status",
			"zgoda marketingowa")},
		{Name: "agreement3", Text: &r.Agreement3, Also: words("data processing agreement", "partner offers",
			"zgoda na przetwarzanie danych")},
		{Name: "levelId", Text: &r.LevelID}, {Name: "posId", Text: &r.POSID}, {Name: "sellerId", Text: &r.SellerID},
	}
}

func words(all ...string) []string { return all }

// columnsOfShops are columns of files of shop systems that customers have no field for.
var columnsOfShops = words(
	// Shopify
	"customer id", "tax exempt",
	// WooCommerce and WordPress
	"user id", "username", "user login", "display name", "role", "last active", "aov", "billing address index",
	// PrestaShop
	"id", "id customer", "last visit", "group", "website", "approved", "siret", "ape",
	// Square
	"square customer id", "creation source", "first visit", "email subscription", "instant profile", "nickname",
	"blocked from online booking",
	// our own export
	"customerid", "level", "status", "points", "spent", "purchases", "last purchase",
)
