package demo

import "punchcard/loyalty/campaign"

// offers are the campaigns. The first two are what user@example.com has bought.
var offers = []offer{
	{
		reward: campaign.FreeDeliveryCode, cost: 20, limit: 400, perUser: 3, prefix: "POST", codes: 400, daysValid: 60,
		featured: true, public: true, labels: "type:promotion;theme:delivery", link: "free-delivery",
		en: text{
			"Free delivery", "Your next order travels **at our cost**.",
			"For parcels up to 10 kg within the country.", "Enter the code in the basket, _before_ you pay.",
		},
		pl: text{
			"Darmowa dostawa", "Następne zamówienie wysyłamy **na nasz koszt**.",
			"Dotyczy paczek do 10 kg na terenie kraju.", "Wpisz kod w koszyku, _zanim_ zapłacisz.",
		},
	},
	{
		reward: campaign.ValueCode, cost: 500, limit: 100, perUser: 2, prefix: "GIFT50", codes: 120, daysValid: 365,
		featured: true, public: true, labels: "type:voucher;theme:shop", link: "voucher-50",
		special: campaign.Definition{RewardValue: euros(50_00), Tax: percent(23), TaxPriceValue: euros(9_35)},
		en: text{
			"50 EUR voucher", "**50 EUR** to spend on anything on our shelves.",
			"One voucher for each purchase; change is not given.", "Show the code at the till or enter it in the basket.",
		},
		pl: text{
			"Bon 50 EUR", "**50 EUR** na wszystko z naszych półek.",
			"Jeden bon na jeden zakup; reszty nie wydajemy.", "Pokaż kod przy kasie lub wpisz go w koszyku.",
		},
	},
	{
		reward: campaign.DiscountCode, cost: 40, prefix: "TENOFF", daysValid: 30, public: true,
		labels: "type:promotion;theme:shop", link: "ten-percent",
		en: text{
			"10 % off your next order", "Ten percent less, **on the whole basket**.",
			"Not together with other discounts.", "Enter `TENOFF` in the basket.",
		},
		pl: text{
			"10% rabatu na następne zamówienie", "Dziesięć procent mniej, **na cały koszyk**.",
			"Nie łączy się z innymi rabatami.", "Wpisz `TENOFF` w koszyku.",
		},
	},
	{
		reward: campaign.GiftCode, cost: 5, limit: 300, perUser: 1, prefix: "CAKE", codes: 300, daysValid: 30,
		public: true, labels: "type:gift;occasion:birthday", link: "birthday",
		special: campaign.Definition{FulfillmentTracking: true},
		en: text{
			"Birthday gift", "A slice of cake and a coffee, **on the house**.",
			"Once a year, within _30 days_ of your order.", "Show the code at the counter.",
		},
		pl: text{
			"Prezent urodzinowy", "Kawałek ciasta i kawa **na nasz koszt**.",
			"Raz w roku, w ciągu _30 dni_ od zamówienia.", "Pokaż kod osobie za ladą.",
		},
	},
	{
		reward: campaign.GiftCode, cost: 150, limit: 60, perUser: 2, prefix: "TOTE", codes: 18, daysValid: 90, public: true,
		labels: "type:gift;theme:shop", link: "tote-bag",
		special: campaign.Definition{FulfillmentTracking: true, RewardValue: euros(12_50)},
		en: text{
			"Linen tote bag", "Woven for us in a **small run**: when they are gone, they are gone.",
			"While stocks last.", "Collect it in the shop or have it put into your next parcel.",
		},
		pl: text{
			"Lniana torba", "Uszyta dla nas w **krótkiej serii**: kiedy się skończy, to koniec.",
			"Do wyczerpania zapasów.", "Odbierz w sklepie albo dorzucimy ją do następnej paczki.",
		},
	},
	{
		reward: campaign.EventCode, cost: 100, tier: 1, limit: 24, perUser: 2, prefix: "TASTE", codes: 24, daysValid: 45,
		featured: true, visible: days{-20, 40}, labels: "type:event;place:shop", link: "tasting",
		special: campaign.Definition{Tax: percent(20), TaxPriceValue: euros(5_00)},
		en: text{
			"Invitation to a tasting", "Six coffees, one long table, and the roaster who explains them.",
			"For **Silver** members and above; each code seats one.", "Come a quarter of an hour early and bring the code.",
		},
		pl: text{
			"Zaproszenie na degustację", "Sześć kaw, jeden długi stół i palacz, który o nich opowie.",
			"Od poziomu **Srebrnego**; jeden kod to jedno miejsce.", "Przyjdź kwadrans wcześniej i zabierz kod.",
		},
	},
	{
		reward: campaign.EventCode, cost: 300, tier: 2, limit: 12, perUser: 1, prefix: "BARISTA", codes: 12,
		daysInactive: 7, daysValid: 60, active: days{-30, 60}, visible: days{-30, 60},
		labels: "type:event;place:roastery", link: "barista-workshop",
		en: text{
			"Barista workshop", "Three hours at the machine: grind, pull, pour.",
			"For **Gold** members and above; twelve places.", "The code is good _from the seventh day_ on.",
		},
		pl: text{
			"Warsztaty baristyczne", "Trzy godziny przy ekspresie: mielenie, parzenie, mleko.",
			"Od poziomu **Złotego**; dwanaście miejsc.", "Kod działa _od siódmego dnia_.",
		},
	},
	{
		reward: campaign.DiscountCode, cost: 15, limit: 120, perUser: 1, prefix: "EARLY", codes: 120, daysInactive: 3,
		regulars:  true,
		daysValid: 14, labels: "type:promotion;time:morning", link: "early-bird",
		en: text{
			"Early bird", "A quarter off every coffee **before nine**.",
			"On working days; starts three days after you took it.", "Show the code when you order.",
		},
		pl: text{
			"Ranny ptaszek", "Każda kawa o jedną czwartą taniej **przed dziewiątą**.",
			"W dni robocze; zaczyna działać po trzech dniach.", "Pokaż kod przy zamówieniu.",
		},
	},
	{
		reward: campaign.EventCode, tier: 3, prefix: "FIRSTLOOK", labels: "type:event;audience:vip", link: "preview",
		en: text{
			"Preview of the new season", "See and taste it **a week before** everybody else.",
			"For VIP members, with one guest.", "Say `FIRSTLOOK` at the door.",
		},
		pl: text{
			"Przedpremiera nowego sezonu", "Zobacz i spróbuj **tydzień wcześniej** niż wszyscy.",
			"Dla poziomu VIP, z jedną osobą towarzyszącą.", "Podaj hasło `FIRSTLOOK` przy wejściu.",
		},
	},
	{
		reward: campaign.Cashback, labels: "type:cashback", link: "cashback", public: true,
		special: campaign.Definition{PointValue: 50_000, CashbackProvider: campaign.CashbackProviders[0]},
		en: text{
			"Points into money", "Every point is worth **5 cents** on your account.",
			"For all members; the transfer takes a few days.", "Choose how many points you want to exchange.",
		},
		pl: text{
			"Punkty na pieniądze", "Każdy punkt to **5 centów** na Twoim koncie.",
			"Dla wszystkich; przelew trwa kilka dni.", "Wybierz, ile punktów chcesz wymienić.",
		},
	},
	{
		reward: campaign.PercentageDiscount, daysValid: 60, labels: "type:voucher;theme:return", link: "fifteen-back",
		special: campaign.Definition{Percentage: 15},
		en: text{
			"15 % back as a voucher", "What you buy today makes the **next** purchase cheaper.",
			"Worth 15 % of the purchase it was given for.", "You get the voucher with the receipt.",
		},
		pl: text{
			"15% z powrotem w bonie", "Dzisiejszy zakup obniża cenę **następnego**.",
			"Bon wart 15% zakupu, za który został przyznany.", "Bon dostajesz razem z paragonem.",
		},
	},
	{
		reward: campaign.CustomCampaignCode, public: true, labels: "type:visit;place:market", link: "market",
		special: campaign.Definition{ConnectType: "none"},
		en: text{
			"Find us at the market", "Say hello at our stall on **Saturday** and take a sample home.",
			"One sample for each member.", "Tell us your card number.",
		},
		pl: text{
			"Znajdź nas na targu", "Odwiedź nasze stoisko w **sobotę** i zabierz próbkę do domu.",
			"Jedna próbka na osobę.", "Podaj numer swojej karty.",
		},
	},
	{
		reward: campaign.FreeDeliveryCode, limit: 200, perUser: 2, prefix: "ONTHEWAY", codes: 50, daysValid: 7, public: true,
		active: days{14, 21}, labels: "type:promotion;theme:delivery", link: "delivery-week",
		en: text{
			"Free delivery week", "Coming soon: a week in which **we pay the post**.",
			"Can be seen already, taken from the first day on.", "Enter the code in the basket.",
		},
		pl: text{
			"Tydzień darmowej dostawy", "Już wkrótce: tydzień, w którym **my płacimy za wysyłkę**.",
			"Widać ją już teraz, odebrać można od pierwszego dnia.", "Wpisz kod w koszyku.",
		},
	},
	{
		reward: campaign.DiscountCode, cost: 60, limit: 150, perUser: 1, prefix: "SEASON", codes: 150, daysValid: 30,
		active: days{30, 75}, visible: days{23, 75}, labels: "type:promotion;theme:season", link: "season-sale",
		en: text{
			"End of season sale", "**A third off** what makes room for the new.",
			"On marked goods only.", "Show the code at the till.",
		},
		pl: text{
			"Wyprzedaż na koniec sezonu", "**O jedną trzecią taniej**, bo robimy miejsce na nowe.",
			"Tylko na oznaczone produkty.", "Pokaż kod przy kasie.",
		},
	},
	{
		reward: campaign.ValueCode, cost: 900, tier: 1, limit: 20, perUser: 1, prefix: "GIFT100", codes: 20, daysValid: 365,
		off: true, labels: "type:voucher;state:draft", link: "voucher-100",
		special: campaign.Definition{RewardValue: euros(100_00), Tax: percent(23), TaxPriceValue: euros(18_70)},
		en: text{
			"100 EUR voucher", "**100 EUR** for the big shopping.",
			"One voucher for each purchase.", "Show the code at the till or enter it in the basket.",
		},
		pl: text{
			"Bon 100 EUR", "**100 EUR** na duże zakupy.",
			"Jeden bon na jeden zakup.", "Pokaż kod przy kasie lub wpisz go w koszyku.",
		},
	},
}
