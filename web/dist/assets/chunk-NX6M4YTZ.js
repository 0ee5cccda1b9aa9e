var o={title:"Administratorzy",html:`<p>Kto może pracować w tym panelu i które programy mogą używać API, we wszystkich sklepach. Naciśnij <strong>Dodaj administratora</strong>, aby kogoś dodać.</p>
<ul>
<li><strong>Osoba</strong> loguje się adresem e-mail i hasłem. Przekaż link albo wyślij zaproszenie, a hasło ustali sama. Link działa raz, przez tydzień; do tego czasu możesz wysłać go ponownie lub wycofać.</li>
<li><strong>Integracja</strong> to program, na przykład Twój sklep internetowy. Zamiast hasła ma klucz. Klucz jest pokazywany raz: przechowaj go w bezpiecznym miejscu.</li>
<li><a href="roles">Rola</a> mówi, co mogą oglądać i zmieniać. <strong>W niektórych sklepach</strong> każdy sklep ma własną rolę, a gdzie indziej nie ma żadnych praw.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Ktoś odchodzi z firmy.</strong> Naciśnij <strong>Odbierz dostęp</strong> na stronie tej osoby. Zobaczysz, co się wtedy kończy. Osoba zostanie od razu wszędzie wylogowana, a jej praca zostaje w <a href="audit">dzienniku zmian</a>.</p>
<p><strong>Ktoś zobaczył klucz.</strong> Zaznacz <strong>Utwórz nowy klucz</strong> i zapisz. Stary od razu przestaje działać.</p>
<p><strong>Dlaczego nie mogę nadać komuś roli?</strong> Nikt nie może dać uprawnienia, którego nie ma.</p>
<p><strong>Czy można wyłączyć ostatniego administratora?</strong> Nie. Musi zostać jedna aktywna osoba, która może wszystko.</p>
<p><strong>Ktoś zgubił telefon.</strong> Kod zapasowy pozwala się zalogować. Bez niego naciśnij <strong>Resetuj drugi składnik</strong> na stronie tej osoby: zaloguje się samym hasłem i doda nowy. Najpierw upewnij się, że to naprawdę ta osoba o to prosi.</p>
`},a={title:"Dziennik zmian",html:`<p>Kto, co, kiedy i skąd zmienił, we wszystkich sklepach. Także logowania oraz kto przeglądał dane klientów.</p>
<ul>
<li>Szukaj po nazwie użytkownika albo filtruj według zdarzenia, obiektu i dni. Kliknij wpis, aby zobaczyć wartości <strong>Przed</strong> i <strong>Po</strong>.</li>
<li><strong>Pobierz</strong> zapisuje to, co jest na liście.</li>
<li><strong>Archiwizuj</strong> usuwa stare wpisy z listy. Archiwa można tam pobrać.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Czy ktoś może zmienić lub usunąć wpis?</strong> Nie w tym panelu. Bardzo stare wpisy usuwa serwer, zwykle po pięciu latach.</p>
<p><strong>Czy są w nim hasła?</strong> Nie, ani inne tajne dane.</p>
<p><strong>Co zostaje po zanonimizowanym kliencie?</strong> Kto z zespołu coś zrobił i kiedy. Dane osobowe są z wpisów usuwane.</p>
`},i={title:"Kupione nagrody",html:`<p>Każda nagroda, którą klient kupił albo dostał, z kodem i informacją, czy została wykorzystana.</p>
<h2>Co możesz zrobić</h2>
<ul>
<li>Znajdź kupon: wpisz cały jego kod. Filtry wybierają nagrodę, klienta, dni i inne.</li>
<li>Oznacz kupon przełącznikiem <strong>Wykorzystane</strong> albo przełącz go z powrotem, jeśli to pomyłka.</li>
<li>Śledź drogę prezentu: wybierz <strong>Zamówiono</strong>, <strong>Wysłano</strong> albo <strong>Dostarczono</strong>, gdy klient wykorzysta już kupon.</li>
<li>Cofnij zakup: otwórz klienta i naciśnij <strong>Cofnij zakup</strong> na karcie <strong>Kupony</strong>. Punkty wracają z terminem, który miały; te, które od tego czasu wygasły, przepadają. Jeśli kupon jest wykorzystany, najpierw naciśnij <strong>Cofnij użycie</strong>.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego kuponu nie można użyć?</strong> Mówi to jego wiersz: już go użyto, jeszcze nie jest ważny, wygasł albo został anulowany. Albo klient nie jest aktywny.</p>
<p><strong>Jak długo można cofnąć zakup?</strong> Tyle, ile mówi <strong>Zakup można anulować przez</strong> w <a href="settings">ustawieniach</a>; na początku 14 dni.</p>
<p><strong>Czy kod jest potem sprzedawany ponownie?</strong> Nie, bo ktoś mógł go już zobaczyć, chyba że włączysz to w ustawieniach.</p>
`},n={title:"Działania zbiorcze",html:`<p>Co zrobiono z wieloma klientami naraz i jak daleko to zaszło.</p>
<h2>Jak zacząć</h2>
<ol>
<li>Przejdź do listy <a href="customers">wszystkich klientów</a> i zaznacz kilku albo wybierz wszystkich pasujących do filtrów.</li>
<li>Wybierz, co zrobić: etykieta, segment, punkty lub wiadomość.</li>
<li>Naciśnij <strong>Rozpocznij</strong>. Praca toczy się w tle, możesz opuścić stronę.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Każdy klient jest zmieniany raz, także gdy serwer zostanie w tym czasie uruchomiony ponownie.</li>
<li><strong>Zatrzymaj</strong> kończy działanie. To, co zrobiono, pozostaje.</li>
<li><strong>Cofnij</strong> cofa to, co się od tego czasu nie zmieniło. Resztę, na przykład wydane punkty, strona wymienia.</li>
</ul>
`},c={title:"Kampanie",html:`<p>Kampania to nagroda, którą klienci dostają za punkty albo za darmo: rabat, bon, prezent, darmowa dostawa, zaproszenie, pieniądze.</p>
<h2>Utwórz nagrodę</h2>
<ol>
<li>Naciśnij <strong>Utwórz nagrodę</strong> i wybierz, do czego ma służyć. Formularz jest już wypełniony i możesz go zmienić.</li>
<li>W części <strong>Co</strong> nadaj jej nazwę i opisz ją w każdym języku.</li>
<li>W części <strong>Kto</strong> wybierz wszystkich, niektóre <a href="levels">poziomy</a> albo niektóre <a href="segments">segmenty</a>. Zobaczysz, do ilu klientów dotrze.</li>
<li>W części <strong>Kiedy</strong> podaj, kiedy klienci mogą ją kupić i kiedy ją widzą.</li>
<li>W części <strong>Jak często</strong> ustal cenę w punktach i limity.</li>
<li>Naciśnij <strong>Zapisz i włącz</strong>. <strong>Zapisz wyłączoną</strong> odkłada ją na później.</li>
</ol>
<h2>Kody</h2>
<p>Punchcard generuje kody albo dodajesz własne. Każdy kupujący dostaje następny albo wszyscy ten sam. Gdy zostaje ich mało, powie o tym <a href="overview">przegląd</a>.</p>
<h2>Limity</h2>
<ul>
<li><strong>Najwyżej, łącznie</strong> nigdy nie zostaje przekroczone, ilu klientów by nie kupowało w tej samej chwili.</li>
<li><strong>Najwyżej na klienta</strong> liczy się zawsze albo od nowa w każdym dniu, miesiącu czy roku.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Co, jeśli zmienię nagrodę, którą już kupiono?</strong> To, co klienci mają, zostaje bez zmian: kod, daty i zapłacone punkty.</p>
<p><strong>Jak zakończyć nagrodę?</strong> Wyłącz ją. <strong>Zarchiwizuj</strong> usuwa ją też z listy. Kupione kupony nadal można wykorzystać.</p>
<p><strong>Dlaczego nikt jej nie widzi?</strong> Sprawdź, czy jest włączona, czy jej dni już się zaczęły oraz czy są dla niej klienci i kody.</p>
`},t={title:"Cashback",html:`<p>Cashback zamienia punkty na pieniądze. Wypłaca je operator płatności albo Ty.</p>
<h2>Jak to działa</h2>
<ol>
<li>Utwórz <a href="campaigns">kampanię</a> rodzaju <strong>Punkty jako gotówka</strong>. Określa ona, ile wart jest jeden punkt.</li>
<li>Klient wymienia punkty w aplikacji albo Ty naciskasz <strong>Wymień punkty na pieniądze</strong>. Najpierw widać, ile punkty są warte.</li>
<li>Punkty są zabierane od razu. Jeśli jest podłączony operator płatności, dostaje komunikat, żeby wypłacić pieniądze.</li>
</ol>
<p>Jeśli operator zgłosi, że wypłata się nie udała, punkty wracają same.</p>
<h2>Co pokazuje lista</h2>
<p>Te komunikaty i ich wyniki. <strong>Nieudany</strong> znaczy, że operator komunikatu nie przyjął. Punkty pozostają wydane, bo pieniądze mogły zostać wypłacone: zapytaj operatora i naciśnij <strong>Wyślij ponownie</strong>, jeśli wypłaty nie było.</p>
<h2>Pytania</h2>
<p><strong>Czy mogę to ograniczyć?</strong> Tak, w <a href="settings">ustawieniach</a> w części <strong>Punkty na pieniądze</strong>: najmniej punktów naraz i najwięcej na klienta dziennie.</p>
<p><strong>Co, jeśli nie mam operatora?</strong> Wymiany znajdziesz wśród <a href="bought">kupionych nagród</a>, a pieniądze wypłacasz samodzielnie.</p>
`},r={title:"Kategorie",html:`<p>Kategorie grupują nagrody dla klientów: napoje, prezenty, bilety.</p>
<ul>
<li>Naciśnij <strong>Utwórz kategorię</strong> i podaj nazwę w każdym języku programu. Gdzie jej brak, klienci widzą nazwę w języku domyślnym.</li>
<li><strong>Kolejność</strong> decyduje o miejscu: kategorie z mniejszą liczbą są pierwsze.</li>
<li>Nagroda może być w kilku kategoriach. Wybierasz je w formularzu <a href="campaigns">kampanii</a>, w części <strong>Więcej: wiadomość, kategorie, marka, etykiety</strong>.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Czy mogę usunąć kategorię?</strong> Nie, ale możesz ją wyłączyć w kolumnie <strong>W menu</strong>. Klienci nie mogą jej wtedy wybrać w aplikacji. Nagrody z niej są nadal w sprzedaży i zachowują kategorię.</p>
`},s={title:"Zegar testowy",html:`<p>Sklep testowy ma zegar, który możesz przesuwać do przodu, aby zobaczyć, co program robi za tydzień albo miesiąc.</p>
<ol>
<li>Naciśnij <strong>1 dzień</strong>, <strong>1 tydzień</strong> albo <strong>30 dni</strong>. Albo wybierz chwilę i naciśnij <strong>Przesuń do tej chwili</strong>.</li>
<li>To, na co przyszła pora, dzieje się od razu: punkty są odblokowywane i wygasają, kupony się kończą, poziomy i segmenty się zmieniają, klienci dostają powiadomienia.</li>
<li><strong>Na co przyszła pora</strong> wymienia to wszystko.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Zegar nigdy się nie cofa.</li>
<li>Przesunięcie to jeden krok: co dzieje się codziennie, zdarzy się raz, na końcu.</li>
<li>Inne sklepy pozostają bez zmian.</li>
<li>Dla prawdziwych klientów użyj zwykłego sklepu. Oba rodzaje zakładasz w części <a href="stores">sklepy</a>.</li>
</ul>
`},z={title:"Wszyscy klienci",html:`<p>Wszyscy w Twoim programie.</p>
<h2>Znajdź kogoś</h2>
<p>Wpisz nazwisko, adres e-mail, telefon lub numer karty. Albo zawęź listę według poziomu, segmentu, statusu i dnia dołączenia. <strong>Pobierz</strong> zapisuje to, co jest na liście.</p>
<p><strong>Zapisz jako widok</strong> zachowuje filtry i kolejność listy pod nazwą, dla Ciebie albo dla wszystkich, którzy widzą klientów. <strong>Zapisane widoki</strong> przywołuje je z powrotem.</p>
<h2>Profil</h2>
<ul>
<li><strong>Historia</strong> mówi, co się działo. Na innych kartach są kupony, punkty, zakupy, wiadomości i notatki.</li>
<li><strong>Dodaj punkty</strong> i <strong>Kup nagrodę</strong> są u góry. Reszta, na przykład wydawanie punktów, poziom i blokada, jest w menu obok nich.</li>
</ul>
<h2>Dodaj klienta</h2>
<p>Naciśnij <strong>Dodaj klienta</strong>. Potrzebne są imię i nazwisko, kontakt i zgoda na regulamin. Zaznacz <strong>Chce otrzymywać nowości i oferty</strong> tylko u tych, którzy tak powiedzieli.</p>
<h2>Pytania</h2>
<p><strong>Klient nie może się zalogować.</strong> Informacja w profilu mówi, czego brakuje. <strong>Wyślij ponownie</strong> powtarza wiadomość; <strong>Aktywuj</strong> działa bez niej.</p>
<p><strong>Zablokować czy zanonimizować?</strong> Po <strong>Zablokuj</strong> klient zachowuje wszystko i nie może nic zrobić, dopóki nie naciśniesz <strong>Aktywuj</strong>. <strong>Zanonimizuj</strong> usuwa na zawsze to, kim ktoś jest, a liczby zostają.</p>
<p><strong>Klient prosi o swoje dane.</strong> Otwórz <strong>Kartoteka</strong>, a potem <strong>Dane i prywatność</strong>. W części <strong>Kopia wszystkich danych</strong> dostaniesz jeden plik.</p>
<p><strong>Klient ma dwa konta.</strong> W profilu konta, które zostaje, użyj <strong>Połącz z innym klientem</strong>.</p>
`},l={title:"Zdarzenia",html:`<p>Wszystko, co działo się w sklepie, od najnowszych. Nowe zdarzenia pojawiają się na bieżąco.</p>
<ul>
<li>Filtruj według rodzaju, klienta i dni.</li>
<li><strong>Wstrzymaj</strong> zatrzymuje listę, żeby można ją było spokojnie przeczytać. <strong>Wznów</strong> puszcza ją dalej.</li>
<li>Kliknij zdarzenie, aby zobaczyć jego treść.</li>
<li>Nazwiska i kontakty widzą tylko ci, którzy mogą oglądać klientów.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Do czego są zdarzenia?</strong> Żeby sprawdzić, co się działo, na przykład u klienta. I dla innych systemów: programiści odczytują zdarzenia przez API albo odbierają je przez <a href="webhooks">webhooki</a>.</p>
<p><strong>Czy zdarzenia można usunąć?</strong> Nie. Gdy klient zostaje zanonimizowany, znikają z nich dane osobowe.</p>
`},g={title:"Importy",html:`<p>Przenieś to, co masz: klientów, punkty, paragony. Weź plik, który eksportuje Twój obecny program; nie trzeba go przerabiać.</p>
<h2>Jak to działa</h2>
<ol>
<li>Naciśnij <strong>Importuj plik</strong>. Wybierz, co plik zawiera, i sam plik.</li>
<li>Punchcard zgaduje, jak zapisano daty i liczby oraz co jest w której kolumnie. Popraw, co się nie zgadza. Twoje wybory zostaną zapamiętane dla następnego pliku z tymi kolumnami.</li>
<li>Obejrzyj pierwsze rekordy tak, jak zostaną zapisane. <strong>Sprawdź plik</strong> próbuje wszystkie i niczego nie zapisuje.</li>
<li>Naciśnij <strong>Importuj teraz</strong>. Możesz opuścić stronę.</li>
</ol>
<h2>Klienci, którzy już istnieją</h2>
<p>Wybierz <strong>Odrzuć</strong> albo <strong>Zaktualizuj</strong>. Puste komórki niczego nie zmieniają. Zgody, poziom i to, czy ktoś jest aktywny, zmienią się tylko wtedy, gdy zaznaczysz je w części <strong>Zastąp też</strong>.</p>
<h2>Pytania</h2>
<p><strong>Niektóre rekordy odrzucono.</strong> Strona wymienia je z powodem. Popraw je i zaimportuj w osobnym pliku, bo punkty importowane ponownie są ponownie przyznawane.</p>
<p><strong>To był zły plik.</strong> <strong>Cofnij import</strong> wycofuje klientów albo punkty. To, co się od tego czasu zmieniło, zostaje i jest wymienione. Paragony wycofuje się zwrotami.</p>
<p><strong>Czy klienci dostaną wiadomości?</strong> Tylko jeśli zaznaczysz <strong>Powitaj ich</strong> albo <strong>Powiadom klientów</strong> lub jeśli prosi o to kolumna w pliku.</p>
`},y={title:"Zaproszenia",html:`<p>Klienci zapraszają znajomych i obie strony mogą coś zyskać.</p>
<ul>
<li>Klient zaprasza kogoś e-mailem lub przez telefon albo udostępnia z aplikacji osobisty link. Kto przez niego dołączy, liczy się jako zaproszony.</li>
<li><a href="rules">Reguła punktów</a> rodzaju <strong>Punkty za polecenia</strong> mówi, kto dostaje punkty i za co: za dołączenie, pierwszy zakup czy każdy zakup.</li>
<li>Ta strona pokazuje, kto kogo zaprosił, jak daleko to zaszło (<strong>Wysłane</strong>, <strong>Po rejestracji</strong>, <strong>Po zakupie</strong>) i ile punktów dostała każda strona.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego nikt nie dostał punktów?</strong> Może nie ma reguły albo jest ona dla innych poziomów lub segmentów: musi pasować do znajomego. Klient, który nie jest aktywny, nic nie dostaje.</p>
<p><strong>Czy kogoś można zaprosić dwa razy?</strong> Nie. Nie można też zaprosić kogoś, kto już jest klientem.</p>
`},p={title:"Zadania",html:`<p>Co serwer robi samodzielnie: wygasza punkty, przelicza segmenty, wysyła powiadomienia push.</p>
<ul>
<li>Każdy wiersz pokazuje, jak często zadanie działa, jak poszło ostatnio i kiedy będzie następne.</li>
<li>Przycisk ze strzałką na końcu wiersza uruchamia zadanie od razu. Rzadko jest potrzebny.</li>
<li>Zadanie, które się nie udało, zostanie samo ponowione, a powie o tym <a href="overview">przegląd</a>.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Zadanie się nie udało. Co zrobić?</strong> Wiersz mówi krótko dlaczego, na przykład brak miejsca na dysku. Jeśli znów się nie uda, pokaż <strong>Szczegóły techniczne</strong> osobie, która prowadzi serwer.</p>
<p><strong>Czy to ważne, że zadanie trochę się spóźni?</strong> Prawie nie. Punktów i kuponów, które wygasły, nie da się użyć, niezależnie od tego, czy zadanie już działało.</p>
`},k={title:"Strona programu",html:`<p>Jak ludzie trafiają do Twojego programu i do niego dołączają.</p>
<ul>
<li>Strona, do której prowadzi <strong>Adres</strong>, pokazuje odwiedzającym, jak zbierać, co można dostać i jakie są poziomy. Tam też dołączają.</li>
<li><strong>Plakat</strong> ma ten adres jako kod QR. <strong>Drukuj</strong> go na ladę lub do witryny.</li>
<li><strong>Na Twojej stronie</strong> znajdziesz kilka wierszy do wklejenia. Pokażą tę samą stronę w Twojej witrynie.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego moja witryna jej nie pokazuje?</strong> Wpisz jej adres w <a href="settings">ustawieniach</a> w części <strong>Odnośniki i regulamin</strong>, w polu <strong>Witryny, które mogą pokazywać stronę programu</strong>. Dopóki ta lista jest pusta, żadna witryna nie może.</p>
<p><strong>Dlaczego brakuje nagrody?</strong> Odwiedzający widzą nagrody z zaznaczeniem <strong>Publiczna</strong>. Zaznacz je w formularzu <a href="campaigns">kampanii</a>.</p>
<p><strong>Czy nowi klienci muszą aktywować konto?</strong> Decydujesz o tym w ustawieniach, w części <strong>Prawa klientów</strong>. Chroni to przed adresami z literówką i przed cudzymi.</p>
<p><strong>Czy sprzedawcy mogą dodawać klientów?</strong> Tak, przy kasie.</p>
`},w={title:"Ścieżki",html:`<p>Wiadomości, które klienci dostają same z siebie przy okazji, z prezentem lub bez.</p>
<h2>Jak zacząć</h2>
<ol>
<li>Wybierz okazję, na przykład urodziny, i naciśnij <strong>Nowa</strong>.</li>
<li>Określ, kiedy wiadomość jest wysyłana, do kogo i jaka jest jej treść w każdym języku.</li>
<li>Jeśli chcesz, dodaj prezent: punkty albo nagrodę.</li>
<li>Naciśnij <strong>Włącz</strong>. Strona pokaże, ilu klientów to dziś obejmie.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Klient dostaje wiadomość i prezent z danej okazji tylko raz.</li>
<li>Wcześniejsze okazje nie są nadrabiane.</li>
<li>Bez wiadomości nie ma prezentu, na przykład gdy brakuje zgody.</li>
<li><a href="settings">Ustawienia</a> określają, ile najwyżej wiadomości marketingowych dostaje klient.</li>
</ul>
`},d={title:"Klucze dla programów",html:`<p>Program, na przykład sklep internetowy lub kasa innej firmy, wywołuje Punchcard za pomocą klucza. Utwórz osobny klucz dla każdego programu.</p>
<ol>
<li>Naciśnij <strong>Nowy klucz</strong>, nazwij program i zaznacz, co może widzieć i zmieniać.</li>
<li>Utwórz klucz i skopiuj jego sekret. Jest pokazywany tylko raz.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Klucz nigdy nie może więcej niż Ty: gdy Twoja rola traci prawa, traci je też klucz, a gdy Twoje konto zostanie wyłączone, klucz przestaje działać.</li>
<li><strong>Nowy sekret</strong> zastępuje sekret. Stary działa jeszcze kilka godzin, aby program można było zmienić bez przerwy.</li>
<li><strong>Unieważnij</strong> zatrzymuje klucz od razu.</li>
<li>Żaden klucz nie może tworzyć kluczy ani zmieniać ról, administratorów i haseł.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Sekret trafił w niepowołane ręce. Co teraz?</strong> Utwórz <strong>Nowy sekret</strong> z 0 godzin albo <strong>Unieważnij</strong> klucz. <a href="audit">Dziennik</a> pokazuje, co zrobił.</p>
`},j={title:"Języki",html:`<p>Języki, w których nagrody, poziomy i kategorie mają teksty, we wszystkich sklepach.</p>
<ul>
<li>Naciśnij <strong>Dodaj język</strong>, a w formularzach pojawi się miejsce na teksty.</li>
<li><strong>Język domyślny</strong> jest pokazywany tam, gdzie brakuje tekstu w języku klienta.</li>
<li>Wiadomości są gotowe po angielsku, polsku, niemiecku, francusku i hiszpańsku. Dla innych języków napisz własne w części <a href="messages">wiadomości</a>.</li>
</ul>
<h2>Pytania</h2>
<p><strong>W jakim języku klienci dostają wiadomości?</strong> W tym, który wybiorą w aplikacji albo który Ty wybierzesz w ich profilu.</p>
<p><strong>Co, jeśli usunę język?</strong> Wszystkie teksty w nim przepadają, w każdym sklepie.</p>
<p><strong>Jak zmienić język tego panelu?</strong> W menu swojego konta u góry. Każdy administrator wybiera własny.</p>
`},m={title:"Poziomy",html:`<p>Poziomy wyróżniają najlepszych klientów: brąz, srebro, złoto. Poziom może dawać rabat oraz własne nagrody i reguły punktów.</p>
<h2>Utwórz poziom</h2>
<ol>
<li>Naciśnij <strong>Dodaj poziom</strong>. Podaj nazwę i opis, który klienci zobaczą w aplikacji.</li>
<li>Podaj, od jakiej wartości klienci go osiągają. Liczą się zakupy albo punkty, zależnie od <a href="settings">ustawień</a>. Wszyscy zaczynają w poziomie od 0.</li>
<li>Dodaj rabat, jeśli poziom go ma. Pokazują go aplikacja i kasa, a nalicza Twój sklep.</li>
</ol>
<h2>Pytania</h2>
<p><strong>Kiedy klienci awansują?</strong> Od razu, z paragonem albo punktami, które osiągają wartość.</p>
<p><strong>Kiedy spadają?</strong> Jeśli liczą się zakupy: gdy po zwrocie są poniżej wartości. Jeśli liczą się punkty, decyduje <strong>Spadek na niższy poziom</strong> w ustawieniach: nigdy, gdy tylko mają za mało punktów, albo po liczbie dni.</p>
<p><strong>Czy mogę komuś nadać poziom?</strong> Tak, wybierając <strong>Ustaw poziom ręcznie</strong> w profilu klienta. Zostaje, dopóki klient nie osiągnie wyższego albo dopóki nie wybierzesz <strong>Przywróć poziom według zakupów</strong>.</p>
<p><strong>Czy mogę usunąć poziom?</strong> Tak. Klienci przechodzą na poziom, który wynika z ich własnych liczb. Jeden poziom na początek musi zostać.</p>
`},h={title:"Limity",html:`<p>Największe rozmiary i liczby, które przyjmuje ten serwer, oraz jak często coś można robić. Dzięki nim jedna pomyłka nie zatrzyma programu wszystkim.</p>
<ul>
<li>W każdym wierszu jest nazwa limitu i jego <strong>Wartość</strong>. Wpisz słowo, aby go znaleźć.</li>
<li>Tych samych nazw używają komunikaty o błędach i dokumentacja.</li>
<li>Jeśli w kolumnie <strong>Ustawia</strong> coś jest, limit może zmienić osoba, która prowadzi serwer.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Czy ta strona jest mi potrzebna?</strong> Rzadko: gdy komunikat o błędzie albo programista wymienia limit.</p>
<p><strong>Czy mogę tu zmienić limit?</strong> Nie. Poproś osobę, która prowadzi serwer.</p>
`},b={title:"Mailingi",html:`<p>Napisz do wielu klientów naraz: e-mailem, SMS-em, powiadomieniem push albo do skrzynki w aplikacji.</p>
<h2>Wyślij mailing</h2>
<ol>
<li>Naciśnij <strong>Napisz mailing</strong>. Wybierz kanały i <strong>Kto dostanie</strong>. Zobaczysz, ilu klientów zgadza się na marketing i do ilu dociera każdy kanał.</li>
<li>Napisz tekst w każdym języku. Znacznik taki jak {{ first_name }} zamienia się w imię klienta. Dla e-maili wybierz <strong>Zwykły tekst</strong> albo <strong>Bloki</strong>: nagłówki, przyciski, zdjęcia i nagrody w wyglądzie Twojego sklepu. Blok przeciągnij za nazwę albo użyj jego strzałek.</li>
<li>Obejrzyj go w części <strong>Jak zobaczy to klient</strong>. Jeśli to e-mail, <strong>Wyślij próbę</strong> wysyła go do Ciebie.</li>
<li>Naciśnij <strong>Zapisz</strong>, a potem <strong>Wyślij teraz</strong>. Jeśli w polu <strong>Wyślij o</strong> jest godzina, przycisk nazywa się <strong>Zaplanuj</strong>.</li>
</ol>
<p>Podczas wysyłki możesz użyć <strong>Wstrzymaj</strong> albo <strong>Zatrzymaj</strong>.</p>
<h2>Warto wiedzieć</h2>
<ul>
<li>E-mail, SMS i push docierają tylko do klientów, którzy zgadzają się na marketing. Skrzynka dociera do wszystkich wybranych.</li>
<li>Linkiem w każdym e-mailu i SMS-ie klienci mogą zrezygnować z takich wiadomości.</li>
<li>Nikt nie dostaje tego samego mailingu dwa razy.</li>
<li>W godzinach ciszy z <a href="settings">ustawień</a> trafia on tylko do skrzynki. Reszta czeka.</li>
<li>Wyniki mówią, ile wysłano i ile się nie udało w każdym kanale oraz kto otworzył link.</li>
<li>Otwarcia przycisków, zdjęć i nagród w e-mailu liczą się tak jak otwarcia linku.</li>
</ul>
`},P={title:"Wiadomości",html:`<p>Co Punchcard sam pisze do ludzi: aktywacja, nowe hasło, wygasające punkty, urodziny i tak dalej.</p>
<ul>
<li><strong>Teksty</strong>: każda wiadomość ma gotowy tekst. Otwórz go, aby go zmienić, obejrzeć, wyłączyć przełącznikiem <strong>Jest wysyłana</strong> albo użyć <strong>Wyślij zapisany tekst próbnie</strong>. Niektóre są na początku wyłączone, na przykład życzenia urodzinowe.</li>
<li><strong>Wysłane wiadomości</strong>: co do kogo poszło, co czeka, co się nie udało i dlaczego. Przy nieudanych jest <strong>Wyślij ponownie</strong>.</li>
<li><strong>Wysyłka</strong>: czy można wysyłać wiadomości, Twój serwer poczty oraz usługi SMS i push. <strong>Wyślij próbnie</strong> to sprawdza. SMS-y wysyła własna bramka albo <strong>Twilio</strong>: podaj konto, nadawcę i token. Powiadomienia push mogą trafiać do przeglądarek klientów bez żadnej usługi: włącz <strong>Wysyłaj do przeglądarek</strong>, a klienci włączą je na swoim koncie.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Czy potrzebuję serwera poczty?</strong> Zbieranie punktów i wykorzystywanie kuponów działa bez niego. Klienci nie mogą jednak wtedy sami aktywować konta ani wybrać nowego hasła.</p>
<p><strong>Dlaczego nie mogę tu czegoś zmienić?</strong> Teksty z linkami lub kodami oraz to, którędy wychodzą wiadomości, mogłyby otworzyć każde konto. Wymagają uprawnienia <strong>Dokąd trafiają wiadomości z hasłami i linkami</strong> oraz Twojego hasła.</p>
`},W={title:"Powiadomienia",html:`<p>Krótkie wiadomości, które same docierają do klientów w skrzynce aplikacji: o nowej nagrodzie oraz o kuponach, punktach lub poziomach, które wkrótce się kończą.</p>
<ul>
<li>Każda nagroda ma własny tekst: <strong>Wiadomość do klientów</strong> w formularzu <a href="campaigns">kampanii</a>. Jeśli zostawisz to pole puste, klienci przeczytają nazwę.</li>
<li>Każdy, dla kogo jest nagroda, dostaje go raz, także ten, kto trafi do jej poziomu lub segmentu później.</li>
<li><strong>Ogłoszone nagrody</strong> pokazują, jak daleko to zaszło.</li>
<li>Na ile dni przed końcem klienci się dowiadują, określają <a href="settings">ustawienia</a> w części <strong>Wiadomości</strong>.</li>
<li><strong>Bramka</strong> przekazuje powiadomienia Twojej usłudze, która robi z nich powiadomienia push lub SMS-y. Potrzebny jest do tego programista.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego nowy klient nie dostał wiadomości o nagrodzie?</strong> Była już wcześniej w ofercie. Nowi klienci widzą ją w aplikacji.</p>
<p><strong>Jak wysłać inne nowości?</strong> Napisz <a href="mailings">mailing</a>.</p>
`},f={title:"Przegląd",html:`<p>Pierwsza strona każdego dnia: co przyniósł program i co czeka na Ciebie.</p>
<h2>Co tu widać</h2>
<ul>
<li>Liczby dotyczą dni wybranych u góry i są porównane z poprzednimi dniami albo z zeszłym rokiem. Trzy duże prowadzą do tego, co za nimi stoi.</li>
<li><strong>Wymaga uwagi</strong> pokazuje nagrody, które się kończą, punkty, które wkrótce wygasną, nieudane wiadomości i podobne sprawy. Wiersz prowadzi tam, gdzie można coś zrobić.</li>
<li><strong>Najlepsze nagrody</strong> to te, które klienci kupowali w tych dniach najczęściej.</li>
<li><strong>Ostatnie zdarzenia</strong> pokazują, co klienci robią w tej chwili.</li>
</ul>
<h2>Pierwsze kroki</h2>
<p>W nowym sklepie nad liczbami są <strong>Pierwsze kroki</strong>, dopóki klient nie może zebrać punktów, kupić nagrody i jej wykorzystać. Każdy krok wykonasz od razu w tym miejscu. <strong>Pomiń</strong> ten, który nie jest teraz potrzebny: możesz go zrobić później na jego własnej stronie.</p>
<h2>Pytania</h2>
<p><strong>Dlaczego wczorajsza liczba jest dziś inna?</strong> Zwrot, anulowany zakup albo usunięty klient zmienia dzień sprzedaży, zakupu lub rejestracji, których dotyczy. Dzięki temu każdy dzień zgadza się z obecnym stanem.</p>
<p><strong>Kiedy zaczyna się dzień?</strong> O północy, według pola <strong>Strefa czasowa</strong> Twojego sklepu, które ustawisz w <a href="settings">ustawieniach</a>.</p>
`},K={title:"Zobowiązania",html:`<p>Punkty w rękach klientów to obietnica. Ta strona pokazuje, jak jest duża: dla księgowości i żeby wiedzieć, co nadchodzi.</p>
<h2>Co tu widać</h2>
<ul>
<li><strong>Punkty klientów</strong> to wszystkie punkty, które można wydać, oraz oczekujące i zablokowane.</li>
<li><strong>Wygasną najpierw</strong> to punkty z najbliższego miesiąca, w którym jakieś wygasają.</li>
<li><strong>Wygasło zamiast zostać wydane</strong> to udział: ile wygasło ze wszystkich punktów, które mogły wygasnąć w tym miesiącu i jedenastu poprzednich.</li>
<li><strong>Według miesiąca wygaśnięcia</strong> i <strong>Według poziomu</strong> dzielą sumę.</li>
</ul>
<h2>W pieniądzach</h2>
<p>Wpisz <strong>Koszt punktu</strong> w <a href="settings">ustawieniach</a>, a każda suma będzie miała wartość. Jeśli zmienisz koszt później, wcześniejsze dni zachowają swój.</p>
<h2>Dla księgowości</h2>
<p><strong>Pobierz</strong> zapisuje dziennik z ostatnich dwunastu miesięcy: punkty przyznane, wydane, wygasłe i wycenione na nowo, jako podwójne zapisy z każdego dnia. Gdy jest koszt punktu, dziennik zgadza się z saldem co do grosza.</p>
<p>Kupione, a jeszcze niewykorzystane kupony są w <a href="reports">raportach</a>, na karcie <strong>Nagrody</strong>.</p>
`},N={title:"Punkty sprzedaży",html:`<p>Twoje sklepy, sklepy internetowe i kasy. Paragony i <a href="sellers">sprzedawcy</a> należą do jednego z nich, więc każdy ma swoje liczby.</p>
<ul>
<li>Naciśnij <strong>Dodaj punkt sprzedaży</strong>. Wystarczy nazwa.</li>
<li><strong>Identyfikator</strong> to numer kasy lub sklepu w Twoich innych systemach. Jeśli zostawisz puste pole, jest nim nazwa.</li>
<li><strong>Sprzedaże</strong> i <strong>Obrót</strong> pokazują, ile paragonów każdy ma dotąd i jaka jest ich wartość po odjęciu zwrotów.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Czy coś może być tylko dla jednego sklepu?</strong> <a href="rules">Reguły punktów</a> mogą. Dla nagrody utwórz <a href="segments">segment</a> z kryterium <strong>Zakup w punkcie sprzedaży</strong>.</p>
<p><strong>Czy mogę usunąć punkt sprzedaży?</strong> Nie, bo wskazują go paragony.</p>
<p><strong>Co to jest zarejestrowana kasa?</strong> Urządzenie, na którym <a href="sellers">sprzedawcy</a> zmieniają się PIN-em zamiast hasła. Sprzedawca rejestruje je w menu konta na kasie. Wyrejestruj ją tutaj, jeśli zginie lub trafi gdzie indziej.</p>
`},D={title:"Raporty",html:`<p>Liczby z wybranych dni, porównane z poprzednim okresem, z zeszłym rokiem albo z Twoimi własnymi datami.</p>
<h2>Jak je czytać</h2>
<ul>
<li>Wybierz okres u góry. Cała strona się do niego dostosuje.</li>
<li>Na karcie <strong>Liczby</strong> każdy wiersz mówi, jak jest liczony. <strong>Pokaż wiersze</strong> prowadzi do tego, co za nim stoi.</li>
<li><strong>Według punktu sprzedaży</strong> i <strong>Według poziomu</strong> dzielą sprzedaż.</li>
<li>Pod nimi <strong>Kupony według nagrody</strong> mówi dla każdej nagrody, ile kuponów kupiono i wykorzystano, ile kosztowały i ile z nimi sprzedano.</li>
<li><strong>Pobierz</strong> zapisuje tabelę jako arkusz albo CSV.</li>
</ul>
<h2>Nagrody i klienci</h2>
<p>Niektóre pytania wymagają przejrzenia każdego kuponu albo paragonu: ile każda nagroda kosztowała i przyniosła, ilu klientów kupuje ponownie i jak zostają ci, którzy dołączyli w danym miesiącu. Otwórz <strong>Nagrody</strong> albo <strong>Klienci</strong> i naciśnij <strong>Oblicz raport</strong>. Możesz opuścić stronę; raport będzie czekał, gdy wrócisz do tego samego okresu.</p>
<h2>Pytania</h2>
<p><strong>Do którego poziomu liczy się sprzedaż?</strong> Do tego, który klient miał, gdy przyszedł paragon.</p>
<p><strong>A do których segmentów?</strong> Do tych, w których klient jest w chwili obliczania raportu. Okres może mieć najwyżej 92 dni.</p>
<p><strong>Czym jest stopień wykorzystania?</strong> To punkty wydane w tych dniach podzielone przez punkty przyznane w tych dniach. Wydane punkty mogą być starsze.</p>
<p>To, ile masz do oddania w punktach, jest na osobnej stronie: <a href="owed">Zobowiązania</a>.</p>
`},C={title:"Role",html:`<p>Rola określa, co administrator może oglądać i zmieniać. Daj każdej osobie najmniejszą rolę, która wystarczy do jej pracy.</p>
<ul>
<li><strong>Podgląd</strong> pozwala oglądać obszar, <strong>Zmiany</strong> pozwala go także zmieniać.</li>
<li><strong>Rola domyślna</strong> jest z góry wybrana dla nowych administratorów.</li>
<li>Zmiany działają po kilku sekundach, także u zalogowanych.</li>
<li>Jedna rola pozwala na wszystko. Można zmienić tylko jej nazwę.</li>
<li><strong>Dokąd trafiają wiadomości z hasłami i linkami</strong> jest dla nielicznych: kto może to zmienić, mógłby otworzyć każde konto.</li>
<li><strong>Drugi składnik logowania</strong>: wymagaj klucza dostępu lub aplikacji z kodami od wszystkich z tą rolą i daj im kilka dni na dodanie. Kto potem go nie ma, może tylko go dodać.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego nie mogę usunąć roli?</strong> Ktoś ją ma: najpierw daj tej osobie inną. Albo jest to rola domyślna lub ta, która pozwala na wszystko.</p>
<p><strong>Dlaczego nie mogę zmienić roli?</strong> Może pozwalać na więcej niż Twoja.</p>
`},T={title:"Reguły punktów",html:`<p>Reguły punktów decydują, za co klienci dostają punkty: za wydane pieniądze, wybrane produkty, pierwszy zakup, urodziny, zaproszenie, wizytę.</p>
<h2>Utwórz regułę</h2>
<ol>
<li>Naciśnij <strong>Dodaj regułę</strong> i wybierz rodzaj. Zwykle na początek wystarczą <strong>Punkty za wydatki</strong>, na przykład 1 punkt za każde euro.</li>
<li>Podaj, ile punktów, dla kogo i kiedy. <strong>Bez dat</strong> znaczy zawsze.</li>
<li>Zapisz ją z zaznaczeniem <strong>Włączona</strong>. Od tej chwili działa.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Reguły się sumują. <strong>Mnożnik dla produktów</strong> mnoży to, co za te produkty daje reguła za wydatki.</li>
<li>Reguła może być dla wybranych poziomów lub segmentów oraz dla wybranych sklepów.</li>
<li>Przy kodach, miejscach i własnych zdarzeniach możesz ograniczyć, jak często klient dostaje punkty.</li>
<li>Zmiana reguły nie zmienia niczego, co zebrano wcześniej.</li>
<li>Za co punktów nie ma, określa reguła za wydatki: <strong>Dostawa się nie liczy</strong>, <strong>Produkty, które się nie liczą</strong>.</li>
<li>Jak punkty są zaokrąglane i kiedy wygasają, określają <a href="settings">ustawienia</a>.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Jak wypróbować reguły?</strong> Zacznij rejestrować <a href="transactions">paragon</a>: wybierz klienta i wpisz wartość, a strona pokaże punkty. Opuść ją bez zapisywania, a nic nie zostanie zapisane.</p>
`},Z={title:"Segmenty",html:`<p>Segment to grupa klientów, których coś łączy: nie kupowali od 60 dni, wkrótce mają urodziny, kupują kawę. Segmenty przydają się w <a href="campaigns">kampaniach</a>, <a href="rules">regułach punktów</a> i <a href="mailings">mailingach</a>.</p>
<h2>Utwórz segment</h2>
<ol>
<li>Naciśnij <strong>Dodaj segment</strong>, nadaj mu nazwę i wybierz <strong>Kryterium</strong>, na przykład <strong>Brak zakupów od pewnego czasu</strong>.</li>
<li>Jeśli chcesz, dodaj kolejne. W grupie wystarczy jedno kryterium; każda grupa musi być spełniona. Jedno z ustawień odwraca tę zasadę.</li>
<li>Na końcu formularza widzisz przed zapisaniem, ilu klientów to obejmuje, i kilku z nich.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Klienci przychodzą i odchodzą sami: od razu, gdy coś się u nich zmienia, i o północy tam, gdzie liczą się dni.</li>
<li>Klient, który trafia do segmentu, od razu widzi jego nagrody.</li>
<li>Członkami są tylko aktywni klienci.</li>
<li>Gdy <strong>Aktualizuj członków</strong> jest wyłączone, nagrody i reguły traktują segment jak pusty.</li>
<li>Gdy usuniesz segment, klienci z niego pozostają klientami.</li>
</ul>
`},S={title:"Sprzedawcy",html:`<p>Kto obsługuje klientów przy kasie.</p>
<h2>Dodaj sprzedawcę</h2>
<ol>
<li>Naciśnij <strong>Dodaj sprzedawcę</strong>. Najpierw potrzebny jest <a href="points-of-sale">punkt sprzedaży</a>.</li>
<li>Wpisz imię i nazwisko, adres e-mail do logowania i hasło, które przekażesz sprzedawcy.</li>
<li>W części <strong>Uprawnienia</strong> zdecyduj, co jeszcze wolno poza dodawaniem klientów i sprzedażą nagród: rejestrować paragony, realizować i sprawdzać kupony, anulować zakupy, dodawać i wydawać punkty.</li>
</ol>
<p>Kasa działa w przeglądarce, na tablecie albo telefonie. Bez sieci zachowuje to, co wpisano, i wysyła później.</p>
<h2>Pytania</h2>
<p><strong>Gdzie jest kasa?</strong> Wyloguj się z tego panelu: pod logowaniem jest <strong>Dla kasy</strong>.</p>
<p><strong>Sprzedawca odchodzi.</strong> Wyłącz <strong>Może się logować</strong>. Sprzedawca zostaje od razu wylogowany, a to, co zrobił, zostaje.</p>
<p><strong>Ktoś nie pamięta hasła.</strong> Wpisz tutaj <strong>Nowe hasło</strong>. Gdy jest serwer poczty, sprzedawcy mogą też wybrać je samodzielnie przy kasie.</p>
<p><strong>Sprzedawca zgubił telefon.</strong> Naciśnij tutaj <strong>Resetuj drugi składnik</strong>: sprzedawca zaloguje się samym hasłem i doda nowy. O tym, czy sprzedawcy go potrzebują, decydują <a href="settings">ustawienia</a>.</p>
`},J={title:"Ustawienia",html:`<p>O czym decyduje Twój sklep. Każde pole mówi, co robi, a zmiany działają od razu po zapisaniu.</p>
<h2>Najważniejsze</h2>
<ul>
<li><strong>Strefa czasowa</strong>: gdzie zaczynają się i kończą dni.</li>
<li><strong>Waluta</strong>: zmienisz ją w części <a href="stores">sklepy</a>, do pierwszego paragonu.</li>
<li><strong>Punkty wygasają</strong>: po liczbie dni, na koniec miesiąca lub roku albo nigdy. Punkty, które klienci mają, zachowują swoją datę.</li>
<li><strong>Klienci osiągają poziomy przez</strong>: sprzedaż albo punkty.</li>
<li><strong>Produkty, które się nie liczą</strong>: tylko do poziomów. Dla punktów każda <a href="rules">reguła</a> ma własną listę.</li>
<li><strong>Jak paragon znajduje klienta</strong>: po e-mailu, karcie czy telefonie i w jakiej kolejności.</li>
<li><strong>Bez wiadomości marketingowych od</strong>: godziny ciszy.</li>
<li><strong>Wygląd aplikacji klientów</strong>: kolor, logo i duży obraz.</li>
<li><strong>Sprzedawcy</strong>: czy przy kasie potrzebują drugiego składnika. Zapisuje się to osobno.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego nie mogę zmienić pola?</strong> Twoja rola może tylko oglądać ustawienia. Albo pole decyduje, dokąd prowadzą linki w wiadomościach: wtedy potrzebne jest uprawnienie <strong>Dokąd trafiają wiadomości z hasłami i linkami</strong> oraz Twoje hasło.</p>
`},O={title:"Logowanie jednokrotne",html:`<p>Administratorzy logują się kontami Twojej organizacji, przez dostawcę takiego jak Keycloak, Entra ID lub Google Workspace. Naciśnij <strong>Dodaj dostawcę</strong> i przepisz od niego wystawcę, identyfikator klienta i sekret klienta. Potem podaj dostawcy adres powrotny, który pokazuje ta strona.</p>
<ul>
<li><strong>Role według grup</strong> decydują, co komu wolno. Są czytane przy każdym logowaniu, a liczy się pierwsza grupa na liście.</li>
<li><strong>Testuj</strong> sprawdza, czy dostawca odpowiada. <strong>Sprawdź grupy</strong> pokazuje, jaką <a href="roles">rolę</a> dają grupy.</li>
<li>Kto ma już tutaj konto, loguje się na nie i łączy je w menu użytkownika, w <strong>Połączonych kontach</strong>.</li>
<li>Karta <strong>sklepu</strong> zawiera dostawców tylko tego sklepu. Dają oni role w tym sklepie, a <strong>Sprzedawcy według grup</strong> pozwala sprzedawcom logować się przy kasie. Sprzedawcy, którzy mają konto, łączą je w menu kasy.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Ktoś odchodzi z firmy.</strong> Odbierz grupy u dostawcy. Z wylogowaniem back-channel sesje kończą się od razu; w innym razie wyłącz też <a href="administrators">konto</a>.</p>
<p><strong>Dlaczego nowa osoba nie może wejść?</strong> Żadnej z jej grup nie ma na liście albo istnieje konto z jej adresem e-mail, które musi połączyć.</p>
<p><strong>Nikt nie może się zalogować.</strong> Uruchom na serwerze <code>punchcard admin allow-passwords</code> i zaloguj się hasłem.</p>
`},R={title:"Sklepy",html:`<p>Każdy sklep to osobny program, z własnymi klientami, nagrodami, punktami i ustawieniami. Wspólni są administratorzy, role i języki.</p>
<ul>
<li><strong>Załóż sklep</strong> tworzy nowy, z ustawieniami sklepu domyślnego. Klienci mogą dołączać, gdy tylko ma poziom.</li>
<li><strong>Kod</strong> jest częścią adresów i nie można go później zmienić.</li>
<li><strong>Waluta</strong> może się zmieniać do pierwszego paragonu.</li>
<li><strong>Sklep testowy</strong> ma <a href="clock">zegar</a>, który można przesuwać do przodu. Wybierasz to przy zakładaniu sklepu i tak już zostaje.</li>
<li><strong>Przejdź</strong> prowadzi do innego sklepu. Tak samo działa nazwa sklepu u góry.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Co się stanie, gdy wyłączę sklep?</strong> Klienci i sprzedawcy zostaną wylogowani i nie będą obsługiwani. Nic nie zostanie usunięte, ale punkty nadal wygasają.</p>
`},U={title:"Paragony",html:`<p>Każda sprzedaż i każdy zwrot, które przysłały Twoje sklepy i kasy.</p>
<h2>Co możesz zrobić</h2>
<ul>
<li>Znajdź paragon po numerze. Filtry wybierają sprzedaże albo zwroty, punkt sprzedaży i dni.</li>
<li><strong>Zarejestruj paragon</strong> ręcznie, jeśli kasa nie mogła.</li>
<li>Otwórz paragon i wybierz <strong>Przyjmij zwrot</strong>, jeśli klient coś oddaje.</li>
<li>Otwórz paragon, który do nikogo nie należy, i wybierz <strong>Przypisz do klienta</strong>. Punkty, poziom i nagrody pojawią się tak, jakby przyszedł teraz. Tego nie można cofnąć.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego paragon nie ma klienta?</strong> Nie wskazał nikogo albo jego adres e-mail, telefon czy karta nie należy do aktywnego klienta lub nie jest jeszcze potwierdzona. <strong>Jak paragon znajduje klienta</strong> w <a href="settings">ustawieniach</a> określa, co jest sprawdzane i w jakiej kolejności.</p>
<p><strong>Dlaczego nie dał punktów?</strong> Nie ma klienta, nie pasuje żadna <a href="rules">reguła punktów</a> albo jego produkty się nie liczą.</p>
<p><strong>Co robi zwrot?</strong> Zabiera odpowiednią część punktów i bonów, które dała sprzedaż, i zmniejsza liczby.</p>
<p><strong>Czy paragon liczy się dwa razy, jeśli kasa wyśle go ponownie?</strong> Nie. Każdego numeru używa się raz.</p>
`},A={title:"Operacje punktowe",html:`<p>Każdy ruch punktów: zebrane, wydane, zablokowane, przekazane innemu klientowi. Niczego się tu nie usuwa; pomyłki się anuluje.</p>
<h2>Co możesz zrobić</h2>
<ul>
<li><strong>Dodaj punkty</strong>: klient widzi <strong>Powód</strong>. Punkty wygasają tak, jak mówią ustawienia, albo po liczbie dni w polu <strong>Ważne przez</strong>.</li>
<li><strong>Wydaj punkty</strong> klienta.</li>
<li>Otwórz operację i wybierz <strong>Anuluj punkty</strong>, jeśli dodano je przez pomyłkę. To, co z nich wydano, pozostaje wydane.</li>
<li>W tym samym miejscu <strong>Odblokuj teraz</strong> uwalnia punkty, które czekają, a <strong>Wygaś teraz</strong> kończy punkty wcześniej.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Które punkty są wydawane najpierw?</strong> Te, które pierwsze wygasną.</p>
<p><strong>Czym są punkty oczekujące?</strong> Klient już je zebrał, ale jeszcze nie może ich wydać, na przykład dopóki towar można zwrócić. Liczbę dni określają <a href="settings">ustawienia</a>.</p>
<p><strong>Punkty wydano przez pomyłkę.</strong> Dodaj ponownie tyle samo.</p>
<p><strong>Co robi zwrot?</strong> Zabiera punkty, które dały zwrócone towary, ale nigdy więcej, niż klient ma.</p>
`},M={title:"Wypróbuj",html:`<p>Co klient dostaje za koszyk i dlaczego? Ta strona pyta tak, jak kasa albo sklep internetowy. Nic nie jest rezerwowane ani zmieniane.</p>
<h2>Wypróbuj koszyk</h2>
<ol>
<li>Wybierz klienta albo zostaw pole puste dla nieznanej osoby. <strong>Czas</strong> pozwala wypróbować inną chwilę niż teraz.</li>
<li>Wpisz kwotę. <strong>Wpisz pozycje</strong> przyjmuje numery artykułów, kategorie i etykiety, dla nagród i <a href="rules">reguł</a> pojedynczych produktów.</li>
<li>Dodaj kody kuponów i nagrody, które klient chce kupić.</li>
</ol>
<p>Wynik zmienia się podczas pisania. <strong>Kopiuj link</strong> kopiuje adres ze wszystkim, co wpisano.</p>
<h2>Odczytaj wynik</h2>
<ul>
<li><strong>Cena</strong> pokazuje, ile każdy rabat odejmuje od każdej pozycji.</li>
<li><strong>Kupony i nagrody: dlaczego</strong> wymienia każdą sprawdzoną regułę. Krzyżyk mówi, czego brakuje.</li>
<li><strong>Punkty</strong> pokazują, ile każda reguła daje za każdą pozycję.</li>
<li><strong>Potem</strong> pokazuje saldo, poziom i to, czego brakuje do następnego poziomu i nagrody.</li>
</ul>
<h2>Pytania</h2>
<p><strong>Dlaczego kupon nie został zastosowany, choć spełnia wszystkie reguły oprócz jednej?</strong> Ze wszystkich kombinacji wybierana jest ta, która odejmuje najwięcej. Z inną cena jest taka sama albo niższa.</p>
<p><strong>Kto widzi tę stronę?</strong> Osoby, które mogą widzieć <a href="campaigns">kampanie</a>. Aby wybrać klienta albo wpisać kod, trzeba też móc widzieć <a href="customers">klientów</a>.</p>
`},v={title:"Webhooki",html:`<p>Webhooki mówią innym Twoim systemom, co się dzieje: zakup, nowy klient, wykorzystany kupon. Potrzebny jest do nich programista.</p>
<ol>
<li>Naciśnij <strong>Dodaj webhook</strong>, wpisz <strong>Adres</strong> swojego systemu i wybierz zdarzenia.</li>
<li>Zapisz i przechowaj sekret. Jest pokazywany raz i dowodzi, że wywołanie przychodzi od Punchcarda.</li>
<li>Naciśnij <strong>Testuj</strong>.</li>
</ol>
<h2>Warto wiedzieć</h2>
<ul>
<li>Nieudane wywołania są powtarzane przez trzy dni, w coraz większych odstępach.</li>
<li>Webhook, który nie działa przez pięć dni, zostaje wyłączony i mówi o tym <a href="overview">przegląd</a>. Włącz go ponownie, a podejmie to, co go ominęło.</li>
<li><strong>Dostawy</strong> wymieniają każde wywołanie z odpowiedzią. <strong>Wyślij ponownie</strong> powtarza jedno, a <strong>Wyślij ponownie nieudane</strong> wszystkie, które się nie udały.</li>
</ul>
`},I={administrators:o,audit:a,bought:i,"bulk-actions":n,campaigns:c,cashback:t,categories:r,clock:s,customers:z,events:l,imports:g,invitations:y,jobs:p,joining:k,journeys:w,keys:d,languages:j,levels:m,limits:h,mailings:b,messages:P,notifications:W,overview:f,owed:K,"points-of-sale":N,reports:D,roles:C,rules:T,segments:Z,sellers:S,settings:J,"single-sign-on":O,stores:R,transactions:U,transfers:A,"try-it":M,webhooks:v};export{o as administrators,a as audit,i as bought,n as"bulk-actions",c as campaigns,t as cashback,r as categories,s as clock,z as customers,I as default,l as events,g as imports,y as invitations,p as jobs,k as joining,w as journeys,d as keys,j as languages,m as levels,h as limits,b as mailings,P as messages,W as notifications,f as overview,K as owed,N as"points-of-sale",D as reports,C as roles,T as rules,Z as segments,S as sellers,J as settings,O as"single-sign-on",R as stores,U as transactions,A as transfers,M as"try-it",v as webhooks};
