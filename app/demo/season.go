package demo

import (
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
)

// moreShops are the points of sale that the history has besides shops.
var moreShops = []pos.Details{
	{Name: "Station", Identifier: "STATION", Description: "A window, a machine and a queue.", Location: pos.Location{
		Street: "pl. Dworcowy", Address1: "1", Postal: "50-330", City: "Wrocław", Province: "dolnośląskie", Country: "PL",
	}},
	{Name: "Web shop", Identifier: "WEB", Description: "Parcels leave the roastery on working days."},
}

// shop returns a point of sale by its number: shops come first, then moreShops.
func shop(n int) *pos.Details {
	if n < len(shops) {
		return &shops[n]
	}
	return &moreShops[n-len(shops)]
}

// shopShares holds each shop as many times as there are customers who buy there most among ten.
var shopShares = []int{0, 0, 0, 0, 1, 1, 1, 2, 2, 3}

// staff are the sellers of the shops. They register customers and have no passwords.
var staff = []seller.New{
	{Email: "zofia.harbour@example.com", FirstName: "Zofia", LastName: "Morska"},
	{Email: "jan.oldtown@example.com", FirstName: "Jan", LastName: "Rynek"},
	{Email: "ola.station@example.com", FirstName: "Ola", LastName: "Peron"},
	{Email: "greta.web@example.com", FirstName: "Greta", LastName: "Versand"},
}

// seasonOffers are the campaigns that the history has besides offers.
var seasonOffers = []offer{
	{
		reward: campaign.GiftCode, cost: 90, limit: 900, perUser: 12, prefix: "TENTH", codes: 900, daysValid: 30,
		featured: true, public: true, labels: "type:gift;theme:coffee", link: "tenth-coffee",
		en: text{
			"The tenth coffee is free", "Nine coffees earn you **the tenth**.",
			"Any coffee on the board, any size.", "Show the code at the counter.",
		},
		pl: text{
			"Dziesiąta kawa gratis", "Za dziewięć kaw **dziesiąta od nas**.",
			"Dowolna kawa z tablicy, w dowolnym rozmiarze.", "Pokaż kod przy ladzie.",
		},
	},
	{
		reward: campaign.GiftCode, cost: 60, limit: 500, perUser: 4, prefix: "SLICE", codes: 500, daysValid: 21,
		public: true, labels: "type:gift;theme:cake", link: "slice-of-cake",
		en: text{
			"A slice of cake", "Whatever the baker took out of the oven **this morning**.",
			"One slice with any drink.", "Show the code when you order.",
		},
		pl: text{
			"Kawałek ciasta", "To, co piekarz wyjął z pieca **dziś rano**.",
			"Jeden kawałek do dowolnego napoju.", "Pokaż kod przy zamówieniu.",
		},
	},
	{
		reward: campaign.ValueCode, cost: 120, limit: 400, perUser: 6, prefix: "GIFT10", codes: 400, daysValid: 90,
		public: true, labels: "type:voucher;theme:shop", link: "voucher-10",
		special: campaign.Definition{RewardValue: euros(10_00), Tax: percent(23), TaxPriceValue: euros(1_87)},
		en: text{
			"10 EUR voucher", "**10 EUR** less at the till.", "One voucher for each purchase.", "Show the code at the till.",
		},
		pl: text{
			"Bon 10 EUR", "**10 EUR** mniej przy kasie.", "Jeden bon na jeden zakup.", "Pokaż kod przy kasie.",
		},
	},
	{
		reward: campaign.GiftCode, cost: 75, limit: 200, perUser: 1, prefix: "WINTER", codes: 200, daysValid: 30,
		holiday: true, labels: "type:gift;theme:season", link: "winter-box",
		en: text{
			"Winter box", "Spiced coffee, gingerbread and a card, **packed by hand**.",
			"In December, while boxes last.", "Show the code in the shop.",
		},
		pl: text{
			"Zimowa paczka", "Kawa z przyprawami, piernik i kartka, **pakowane ręcznie**.",
			"W grudniu, do wyczerpania zapasów.", "Pokaż kod w sklepie.",
		},
	},
	{
		reward: campaign.DiscountCode, cost: 30, limit: 300, perUser: 2, prefix: "AUTUMN", codes: 300, daysValid: 14,
		active: days{-25, 3}, visible: days{-25, 3}, public: true, featured: true,
		labels: "type:promotion;theme:season", link: "tea-week",
		en: text{
			"A fifth off every tea", "For the season of blankets, **three more days**.",
			"On all teas on the shelf.", "Show the code at the till.",
		},
		pl: text{
			"Każda herbata o jedną piątą taniej", "Na porę koców, **jeszcze trzy dni**.",
			"Na wszystkie herbaty z półki.", "Pokaż kod przy kasie.",
		},
	},
	{
		reward: campaign.EventCode, cost: 45, limit: 40, perUser: 1, prefix: "LATTE", codes: 40, daysValid: 60, public: true,
		labels: "type:event;place:shop", link: "latte-art",
		en: text{
			"Latte art evening", "Draw a leaf in the foam, with a glass of something **good**.",
			"Each code is one place; only a few are left.", "Bring the code on Thursday at seven.",
		},
		pl: text{
			"Wieczór latte art", "Narysuj listek na pianie, przy kieliszku czegoś **dobrego**.",
			"Jeden kod to jedno miejsce; zostało niewiele.", "Przyjdź z kodem w czwartek o siódmej.",
		},
	},
}

// moreGoods are the further products that the tills of the history sell.
var moreGoods = []product{
	{"CAPPUCCINO", "Cappuccino", "drinks", "Amber & Oak", "dark", 4_10},
	{"FLAT-WHITE", "Flat white", "drinks", "Amber & Oak", "dark", 4_30},
	{"FILTER-CUP", "Filter coffee", "drinks", "Amber & Oak", "light", 3_60},
	{"CROISSANT", "Croissant", "food", "Amber & Oak", "", 2_90},
	{"TEA-EARL-GREY", "Earl Grey, 100 g", "tea", "Green Hill", "", 8_20},
	{"DECAF-250", "Decaf, 250 g", "coffee", "Amber & Oak", "light", 12_90},
	{"GRINDER", "Hand grinder", "things", "Clay & Co", "", 69_00},
	{"ESPRESSO-1000", "Espresso, 1 kg", "coffee", "Amber & Oak", "dark", 39_50},
}
