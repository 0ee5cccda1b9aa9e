package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"punchcard/loyalty/customer"
)

// country is a source of names, telephone numbers and addresses.
type country struct {
	code      string
	women     []string
	men       []string
	surnames  []string                    // as men bear them
	feminine  func(surname string) string // the surname of women; nil if it is the same
	phone     string                      // format of a number that is given to nobody
	streets   []string
	cities    []city
	apartment string
}

type city struct{ name, postal, province string } // postal is a format with one digit

var poland = &country{
	code: "PL",
	women: strings.Fields("Maria Katarzyna Małgorzata Agnieszka Barbara Ewa Magdalena Elżbieta Joanna Aleksandra " +
		"Zofia Monika Natalia Julia Hanna Karolina Marta Oliwia Dorota Iga"),
	men: strings.Fields("Piotr Krzysztof Andrzej Tomasz Jan Paweł Michał Marcin Jakub Adam Łukasz Marek Grzegorz " +
		"Mateusz Wojciech Mariusz Dariusz Antoni Szymon Bartosz"),
	surnames: strings.Fields("Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański " +
		"Woźniak Dąbrowski Kozłowski Mazur Jankowski Kwiatkowski Krawczyk Piotrowski Grabowski Pawłowski Michalski " +
		"Król Wieczorek Jabłoński Wróbel Nowicki Majewski Olszewski Stępień Jaworski Górski"),
	feminine: func(surname string) string {
		if stem, found := strings.CutSuffix(surname, "ki"); found {
			return stem + "ka"
		}
		return surname
	},
	phone: "+48100200%03d", // no area or mobile number begins with 10
	streets: []string{
		"ul. Lipowa", "ul. Ogrodowa", "ul. Młyńska", "ul. Polna", "ul. Wiśniowa", "al. Kasztanowa", "pl. Zamkowy",
	},
	cities: []city{
		{"Kraków", "31-1%d0", "małopolskie"}, {"Warszawa", "00-4%d0", "mazowieckie"},
		{"Gdańsk", "80-2%d0", "pomorskie"}, {"Wrocław", "50-3%d0", "dolnośląskie"},
		{"Poznań", "60-1%d0", "wielkopolskie"}, {"Lublin", "20-0%d0", "lubelskie"}, {"Łódź", "90-2%d0", "łódzkie"},
	},
	apartment: "m. %d",
}

var britain = &country{
	code: "GB",
	women: strings.Fields("Alice Charlotte Emily Grace Hannah Isla Lucy Megan Niamh Olivia Phoebe Rosie Sophie " +
		"Tamsin Violet Eilidh"),
	men: strings.Fields("Alfie Ben Callum Daniel Edward Finlay George Harry Jack Liam Noah Oscar Rhys Samuel " +
		"Theo William"),
	surnames: strings.Fields("Ashworth Barlow Carter Davies Ellis Fletcher Graham Hughes Irwin Jennings Kerr Lloyd " +
		"Marsh Norris Osborne Pritchard Quinn Reid Shaw Thornton Underwood Walsh Yates MacLeod O'Neill"),
	phone:   "+447700900%03d", // the range kept free for fiction
	streets: []string{"Mill Street", "Station Road", "Orchard Close", "Chapel Street", "Kiln Yard", "Harbour View"},
	cities: []city{
		{"Leeds", "LS%d 4ZZ", "West Yorkshire"}, {"Bristol", "BS%d 4ZZ", "Bristol"},
		{"Cardiff", "CF%d 4ZZ", "South Glamorgan"}, {"Glasgow", "G%d 4ZZ", "Lanarkshire"},
		{"Norwich", "NR%d 4ZZ", "Norfolk"},
	},
	apartment: "Flat %d",
}

func (c *country) name(rng *rand.Rand, in *customer.Registration) {
	in.LastName = pick(rng, c.surnames)
	if chance(rng, 54) {
		in.FirstName, in.Gender = pick(rng, c.women), "female"
		if c.feminine != nil {
			in.LastName = c.feminine(in.LastName)
		}
	} else {
		in.FirstName, in.Gender = pick(rng, c.men), "male"
	}
	if chance(rng, 6) {
		in.Gender = "not_disclosed"
	}
}

func (c *country) address(rng *rand.Rand) customer.Address {
	in := pick(rng, c.cities)
	a := customer.Address{
		Street: pick(rng, c.streets), Address1: fmt.Sprint(1 + rng.IntN(120)),
		Postal: fmt.Sprintf(in.postal, 1+rng.IntN(9)), City: in.name, Province: in.province, Country: c.code,
	}
	if chance(rng, 50) {
		a.Address2 = fmt.Sprintf(c.apartment, 1+rng.IntN(60))
	}
	return a
}

// ascii spells a name in lower case with the letters of e-mail addresses.
var ascii = strings.NewReplacer("ł", "l", "ą", "a", "ć", "c", "ę", "e", "ń", "n", "ó", "o", "ś", "s",
	"ź", "z", "ż", "z", "'", "")

var trades = []string{"Catering", "Design", "Florists", "Garden", "Joinery", "Printing"}

// labels are labels of customers.
var labels = []struct {
	key    string
	values []string
}{
	{"source", []string{"shop", "web", "app", "market"}},
	{"favourite", []string{"espresso", "filter", "tea", "cake", "beans"}},
	{"newsletter", []string{"weekly", "monthly"}},
}

// occasions are comments of grants.
var occasions = []string{
	"Points for a survey", "Birthday bonus", "Double points weekend", "Thank you for your review",
	"Goodwill after a late parcel", "Points for returned cups", "Market day bonus",
}
