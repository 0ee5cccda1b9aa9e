package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"punchcard/loyalty/customer"
)

// Countries of the history, besides poland and britain. Their telephone numbers belong to nobody; france has
// none.
var (
	germany = &country{
		code: "DE",
		women: strings.Fields("Anna Lena Mia Hannah Sophie Greta Jana Käthe Lotte Marlene Nele Paula Ronja Svenja " +
			"Ursula Wiebke"),
		men: strings.Fields("Jonas Lukas Paul Felix Jörg Matthias Niklas Stefan Uwe Björn Günther Henrik Moritz " +
			"Till Sören Volker"),
		surnames: strings.Fields("Müller Schmidt Schneider Fischer Weber Wagner Becker Schäfer Koch Richter Klein " +
			"Schröder Neumann Krüger Hofmann Lange Köhler Vogel Jäger Groß"),
		phone:   "+49100200%03d",
		streets: []string{"Lindenallee", "Gartenstraße", "Mühlenweg", "Bahnhofstraße", "Am Markt"},
		cities: []city{
			{"Berlin", "101%d7", "Berlin"}, {"Leipzig", "041%d9", "Sachsen"}, {"Görlitz", "028%d6", "Sachsen"},
		},
		apartment: "Whg. %d",
	}
	ukraine = &country{
		code: "UA",
		women: strings.Fields("Олена Ірина Наталія Юлія Тетяна Оксана Марія Катерина Людмила Дарина Софія Соломія " +
			"Вікторія Надія"),
		men: strings.Fields("Олександр Андрій Сергій Тарас Богдан Дмитро Іван Максим Микола Назар Остап Роман " +
			"Юрій Ярослав"),
		surnames: strings.Fields("Шевченко Коваленко Бондаренко Ткаченко Кравченко Олійник Мельник Лисенко Руденко " +
			"Савченко Поліщук Марченко Гриценко Левченко"),
		phone:     "+380100200%03d",
		streets:   []string{"вул. Садова", "вул. Лісова", "вул. Шкільна", "просп. Миру"},
		cities:    []city{{"Львів", "790%d0", "Львівська область"}, {"Київ", "010%d1", "Київ"}},
		apartment: "кв. %d",
	}
	france = &country{
		code: "FR",
		women: strings.Fields("Camille Chloé Inès Léa Manon Zoé Élodie Aurélie Hélène Margaux Noémie Solène " +
			"Valérie Agnès"),
		men: strings.Fields("Antoine Baptiste Clément Damien Étienne Gaël Hugo Jérôme Loïc Mathieu Rémi Sébastien " +
			"Théo Yves"),
		surnames: strings.Fields("Martin Bernard Dubois Moreau Laurent Lefèvre Michel Garnier Faure Mercier Guérin " +
			"Boyer Chevalier Perrin"),
		streets: []string{"rue des Tilleuls", "rue du Moulin", "place de l'Église", "quai du Port"},
		cities: []city{
			{"Lyon", "6900%d", "Auvergne-Rhône-Alpes"}, {"Nantes", "4400%d", "Pays de la Loire"},
		},
		apartment: "appt %d",
	}
)

// origins holds each country as many times as there are guests from it among twenty.
var origins = []*country{
	poland, poland, poland, poland, poland, poland, poland, poland, poland, poland, poland, britain, britain, britain,
	germany, germany, ukraine, ukraine, ukraine, france,
}

// drawGuest draws a person of the history. i is different for each guest.
func drawGuest(rng *rand.Rand, i int, joined time.Time, emails map[string]bool) guest {
	g := guest{joined: joined, shop: pick(rng, shopShares), inShop: chance(rng, 55), confirmed: chance(rng, 96)}
	g.confirmed = g.confirmed || g.inShop
	g.Agreements = [3]bool{true, chance(rng, 60), chance(rng, 30)}
	from := pick(rng, origins)
	from.name(rng, &g.Registration)
	if phoned := chance(rng, 80); phoned && from.phone != "" {
		g.Phone = fmt.Sprintf(from.phone, i)
	}
	if g.inShop || chance(rng, 20) {
		g.LoyaltyCard = fmt.Sprintf("6200%08d", 10_000+i*7_919)
	}
	if chance(rng, 60) {
		g.Address = from.address(rng)
	}
	if chance(rng, 75) {
		g.BirthDate = fmt.Sprintf("%d-%02d-%02d", 1946+rng.IntN(61), 1+rng.IntN(12), 1+rng.IntN(28))
	}
	for _, label := range labels {
		if chance(rng, 25) {
			g.Labels = append(g.Labels, customer.Label{Key: label.key, Value: pick(rng, label.values)})
		}
	}
	g.Email = unique(emails, &g.Registration, rng)
	return g
}
