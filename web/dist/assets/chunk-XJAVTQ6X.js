var u={title:"Administratoren",html:`<p>Wer in diesem Cockpit arbeiten darf und welche Programme die API nutzen dürfen, in allen Shops. Drücken Sie <strong>Administrator hinzufügen</strong>, um einen hinzuzufügen.</p>
<ul>
<li>Eine <strong>Person</strong> meldet sich mit E-Mail-Adresse und Passwort an. Geben Sie einen Link weiter oder senden Sie eine Einladung, dann wählt sie das Passwort selbst. Der Link gilt einmal, eine Woche lang; bis dahin können Sie ihn erneut senden oder zurückziehen.</li>
<li>Eine <strong>Integration</strong> ist ein Programm, etwa Ihr Webshop. Sie hat einen Schlüssel statt eines Passworts. Der Schlüssel wird einmal angezeigt: Bewahren Sie ihn an einem sicheren Ort auf.</li>
<li>Die <a href="roles">Rolle</a> sagt, was beide sehen und ändern dürfen. <strong>In einigen Shops</strong> hat jeder Shop eine eigene Rolle, und anderswo gibt es keine Rechte.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Jemand verlässt die Firma.</strong> Drücken Sie auf der Seite der Person <strong>Zugang beenden</strong>. Sie sehen, was damit endet. Alle Sitzungen der Person enden sofort, und was sie getan hat, bleibt im <a href="audit">Protokoll</a>.</p>
<p><strong>Jemand hat einen Schlüssel gesehen.</strong> Kreuzen Sie <strong>Neuen Schlüssel erzeugen</strong> an und speichern Sie. Der alte gilt sofort nicht mehr.</p>
<p><strong>Warum kann ich jemandem eine Rolle nicht geben?</strong> Niemand kann ein Recht vergeben, ohne es selbst zu haben.</p>
<p><strong>Kann der letzte Administrator ausgeschaltet werden?</strong> Nein. Eine aktive Person, die alles darf, muss bleiben.</p>
<p><strong>Jemand hat das Telefon verloren.</strong> Mit einem Wiederherstellungscode gelingt die Anmeldung. Fehlt auch der, drücken Sie auf der Seite der Person <strong>Zweite Faktoren zurücksetzen</strong>: Sie meldet sich mit dem Passwort allein an und fügt dann einen neuen hinzu. Vergewissern Sie sich vorher, dass wirklich sie darum bittet.</p>
`},i={title:"Protokoll",html:`<p>Wer was wann und von wo geändert hat, in allen Shops. Auch Anmeldungen und wer Kunden angesehen hat.</p>
<ul>
<li>Suchen Sie nach dem Benutzernamen, oder filtern Sie nach Ereignis, Objekt und Tagen. Klicken Sie auf einen Eintrag, um die Werte <strong>Vorher</strong> und <strong>Nachher</strong> zu sehen.</li>
<li><strong>Herunterladen</strong> speichert, was Sie gefunden haben.</li>
<li><strong>Archivieren</strong> nimmt alte Einträge aus der Liste. Die Archive lassen sich dort herunterladen.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Kann jemand einen Eintrag ändern oder löschen?</strong> Nicht in diesem Cockpit. Sehr alte Einträge entfernt der Server, meist nach fünf Jahren.</p>
<p><strong>Stehen Passwörter darin?</strong> Nein, auch keine anderen Geheimnisse.</p>
<p><strong>Was bleibt von einem anonymisierten Kunden?</strong> Wer aus Ihrem Team etwas getan hat, und wann. Persönliche Daten werden aus den Einträgen entfernt.</p>
`},t={title:"Gekaufte Prämien",html:`<p>Jede Prämie, die ein Kunde gekauft oder bekommen hat, mit ihrem Code und ob sie eingelöst wurde.</p>
<h2>Was Sie tun können</h2>
<ul>
<li>Einen Gutschein finden: Tippen Sie den ganzen Code. Filter wählen eine Prämie, einen Kunden, Tage und mehr.</li>
<li>Markieren Sie einen Gutschein mit dem Schalter <strong>Eingelöst</strong>, oder schalten Sie ihn zurück, wenn das ein Versehen war.</li>
<li>Verfolgen Sie ein Geschenk auf seinem Weg: Wählen Sie <strong>Bestellt</strong>, <strong>Versandt</strong> oder <strong>Geliefert</strong>, sobald der Kunde den Gutschein eingelöst hat.</li>
<li>Einen Kauf zurücknehmen: Öffnen Sie den Kunden und drücken Sie <strong>Kauf stornieren</strong> auf der Registerkarte <strong>Gutscheine</strong>. Die Punkte gehen mit ihrem bisherigen Ablaufdatum zurück; was seitdem verfallen ist, ist verloren. Ist der Gutschein eingelöst, drücken Sie zuerst <strong>Einlösung zurücknehmen</strong>.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum lässt sich ein Gutschein nicht einlösen?</strong> Seine Zeile sagt es: Er wurde schon eingelöst, gilt noch nicht, ist abgelaufen oder storniert. Oder der Kunde ist nicht aktiv.</p>
<p><strong>Wie lange kann ein Kauf zurückgenommen werden?</strong> So lange, wie <strong>Käufe stornierbar für</strong> in den <a href="settings">Einstellungen</a> sagt; anfangs 14 Tage.</p>
<p><strong>Wird der Code danach wieder verkauft?</strong> Nein, denn jemand kann ihn gesehen haben, es sei denn, Sie schalten das in den Einstellungen ein.</p>
`},r={title:"Sammelaktionen",html:`<p>Was mit vielen Kunden auf einmal getan wurde, und wie weit es ist.</p>
<h2>So beginnen Sie</h2>
<ol>
<li>Gehen Sie zu <a href="customers">allen Kunden</a> und markieren Sie einige, oder wählen Sie alle, auf die die Filter zutreffen.</li>
<li>Wählen Sie, was geschehen soll: ein Merkmal, ein Segment, Punkte oder eine Nachricht.</li>
<li>Drücken Sie <strong>Starten</strong>. Die Aktion läuft im Hintergrund, Sie können die Seite verlassen.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Jeder Kunde wird einmal geändert, auch wenn der Server inzwischen neu startet.</li>
<li><strong>Anhalten</strong> beendet die Aktion. Was getan ist, bleibt.</li>
<li><strong>Zurücknehmen</strong> macht rückgängig, was sich seitdem nicht geändert hat. Den Rest, etwa eingelöste Punkte, zeigt die Seite.</li>
</ul>
`},s={title:"Kampagnen",html:`<p>Eine Kampagne ist eine Prämie, die Kunden für Punkte oder kostenlos erhalten: ein Rabatt, ein Wertgutschein, ein Geschenk, eine Gratislieferung, eine Einladung, Geld.</p>
<h2>Prämie anlegen</h2>
<ol>
<li>Drücken Sie <strong>Prämie anlegen</strong> und wählen Sie, wofür sie ist. Das Formular ist schon ausgefüllt, und Sie können es ändern.</li>
<li>Geben Sie ihr unter <strong>Was</strong> einen Namen und beschreiben Sie sie in jeder Sprache.</li>
<li>Wählen Sie unter <strong>Wer</strong> alle, einige <a href="levels">Stufen</a> oder einige <a href="segments">Segmente</a>. Sie sehen, wie viele Kunden das erreicht.</li>
<li>Legen Sie unter <strong>Wann</strong> fest, wann Kunden sie kaufen können und wann sie sie sehen.</li>
<li>Legen Sie unter <strong>Wie oft</strong> den Preis in Punkten und die Grenzen fest.</li>
<li>Drücken Sie <strong>Speichern und aktivieren</strong>. <strong>Inaktiv speichern</strong> hebt sie für später auf.</li>
</ol>
<h2>Codes</h2>
<p>Punchcard erzeugt Codes, oder Sie bringen eigene mit. Jeder Käufer bekommt den nächsten, oder alle bekommen denselben. Wenn nur noch wenige da sind, sagt es Ihnen die <a href="overview">Übersicht</a>.</p>
<h2>Grenzen</h2>
<ul>
<li><strong>Höchstens insgesamt</strong> wird nie überschritten, egal wie viele Kunden im selben Moment kaufen.</li>
<li><strong>Höchstens pro Kunde</strong> gilt für immer oder zählt in jedem Tag, Monat oder Jahr neu.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Was, wenn ich eine Prämie ändere, die schon gekauft wurde?</strong> Was Kunden haben, bleibt, wie es war: Code, Daten und bezahlte Punkte.</p>
<p><strong>Wie beende ich eine Prämie?</strong> Schalten Sie sie aus. <strong>Archivieren</strong> nimmt sie auch aus der Liste. Gekaufte Gutscheine bleiben einlösbar.</p>
<p><strong>Warum sieht sie niemand?</strong> Prüfen Sie, ob sie aktiv ist, ob ihre Tage begonnen haben und ob es Kunden und Codes dafür gibt.</p>
`},c={title:"Cashback",html:`<p>Cashback macht aus Punkten Geld. Ein Zahlungsdienst zahlt es aus, oder Sie selbst.</p>
<h2>So läuft es</h2>
<ol>
<li>Legen Sie eine <a href="campaigns">Kampagne</a> der Art <strong>Punkte als Geld</strong> an. Sie sagt, was ein Punkt wert ist.</li>
<li>Ein Kunde tauscht Punkte in der App ein, oder Sie drücken <strong>Punkte in Geld eintauschen</strong>. Vorher sehen Sie, was die Punkte wert sind.</li>
<li>Die Punkte werden sofort abgezogen. Ist ein Zahlungsdienst angebunden, erhält er eine Meldung, dass er auszahlen soll.</li>
</ol>
<p>Meldet der Zahlungsdienst, dass die Zahlung fehlgeschlagen ist, kommen die Punkte von selbst zurück.</p>
<h2>Was die Liste zeigt</h2>
<p>Diese Meldungen und was aus jeder wurde. <strong>Fehlgeschlagen</strong> heißt, dass der Zahlungsdienst sie nicht angenommen hat. Die Punkte bleiben eingelöst, weil das Geld ausgezahlt worden sein kann: Fragen Sie beim Zahlungsdienst nach, und drücken Sie <strong>Erneut senden</strong>, falls nicht.</p>
<h2>Fragen</h2>
<p><strong>Kann ich das begrenzen?</strong> Ja, in den <a href="settings">Einstellungen</a> unter <strong>Punkte gegen Geld</strong>: die wenigsten Punkte auf einmal und die meisten je Kunde und Tag.</p>
<p><strong>Was, wenn ich keinen Zahlungsdienst habe?</strong> Die eingetauschten Punkte stehen unter <a href="bought">Gekaufte Prämien</a>, und Sie zahlen das Geld selbst aus.</p>
`},a={title:"Kategorien",html:`<p>Kategorien gruppieren Prämien für Ihre Kunden: Getränke, Geschenke, Tickets.</p>
<ul>
<li>Drücken Sie <strong>Kategorie anlegen</strong> und geben Sie ihr einen Namen in jeder Sprache Ihres Programms. Wo einer fehlt, sehen Kunden den Namen in der Standardsprache.</li>
<li><strong>Reihenfolge</strong> bestimmt den Platz: Kategorien mit kleinerer Zahl kommen zuerst.</li>
<li>Eine Prämie kann in mehreren Kategorien sein. Sie wählen sie im Formular der <a href="campaigns">Kampagne</a>, unter <strong>Mehr: Nachricht, Kategorien, Marke, Merkmale</strong>.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Kann ich eine Kategorie löschen?</strong> Nein, aber Sie können sie unter <strong>In Menüs</strong> ausschalten. Kunden können sie dann in der App nicht mehr wählen. Ihre Prämien bleiben im Verkauf und behalten die Kategorie.</p>
`},l={title:"Sandbox-Uhr",html:`<p>Ein Sandbox-Shop hat eine Uhr, die Sie vorstellen können, um zu sehen, was Ihr Programm in einer Woche oder einem Monat tut.</p>
<ol>
<li>Drücken Sie <strong>1 Tag</strong>, <strong>1 Woche</strong> oder <strong>30 Tage</strong>. Oder wählen Sie einen Zeitpunkt und drücken Sie <strong>Bis dahin vorstellen</strong>.</li>
<li>Was fällig wird, geschieht sofort: Punkte werden frei und verfallen, Gutscheine laufen ab, Stufen und Segmente ändern sich, Kunden werden benachrichtigt.</li>
<li><strong>Was fällig wurde</strong> zählt es auf.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Die Uhr geht nie zurück.</li>
<li>Ein Vorstellen ist ein Schritt: Was täglich geschieht, geschieht einmal, am Ende.</li>
<li>Andere Shops bleiben unberührt.</li>
<li>Für echte Kunden nehmen Sie einen Shop ohne Sandbox. Beide eröffnen Sie unter <a href="stores">Shops</a>.</li>
</ul>
`},g={title:"Alle Kunden",html:`<p>Alle in Ihrem Programm.</p>
<h2>Jemanden finden</h2>
<p>Tippen Sie einen Namen, eine E-Mail-Adresse, ein Telefon oder eine Kartennummer. Oder filtern Sie die Liste nach Stufe, Segment, Status und Tag des Beitritts. <strong>Herunterladen</strong> speichert, was Sie gefunden haben.</p>
<p><strong>Als Ansicht speichern</strong> merkt sich Filter und Reihenfolge der Liste unter einem Namen, für Sie oder für alle, die Kunden sehen. <strong>Gespeicherte Ansichten</strong> bringt sie zurück.</p>
<h2>Das Profil</h2>
<ul>
<li><strong>Verlauf</strong> erzählt, was geschehen ist. Die anderen Registerkarten enthalten Gutscheine, Punkte, Einkäufe, Nachrichten und Notizen.</li>
<li><strong>Punkte gutschreiben</strong> und <strong>Prämie kaufen</strong> stehen oben. Im Menü daneben ist der Rest, etwa Punkte einlösen, die Stufe und das Sperren.</li>
</ul>
<h2>Einen Kunden hinzufügen</h2>
<p>Drücken Sie <strong>Kunden hinzufügen</strong>. Nötig sind Vor- und Nachname, ein Kontakt und die Zustimmung zu den Teilnahmebedingungen. Kreuzen Sie <strong>Möchte Neuigkeiten und Angebote</strong> nur bei denen an, die das gesagt haben.</p>
<h2>Fragen</h2>
<p><strong>Ein Kunde kann sich nicht anmelden.</strong> Ein Hinweis im Profil sagt, was fehlt. <strong>Erneut senden</strong> wiederholt die Nachricht; <strong>Aktivieren</strong> geht ohne sie.</p>
<p><strong>Sperren oder anonymisieren?</strong> Nach <strong>Sperren</strong> behält ein Kunde alles und kann nichts tun, bis Sie <strong>Aktivieren</strong> drücken. <strong>Anonymisieren</strong> löscht endgültig, wer jemand ist, und behält die Zahlen.</p>
<p><strong>Ein Kunde verlangt seine Daten.</strong> Öffnen Sie <strong>Stammdaten</strong>, dann <strong>Daten und Datenschutz</strong>. Unter <strong>Kopie aller Daten</strong> erhalten Sie eine Datei.</p>
<p><strong>Ein Kunde hat zwei Konten.</strong> Verwenden Sie im Profil des Kontos, das bleibt, <strong>Mit einem anderen Kunden zusammenführen</strong>.</p>
`},d={title:"Ereignisse",html:`<p>Alles, was im Shop geschehen ist, das Neueste zuerst. Neue Ereignisse erscheinen, während Sie zusehen.</p>
<ul>
<li>Filtern Sie nach Art, Kunde und Tagen.</li>
<li><strong>Anhalten</strong> hält die Liste fest, damit Sie in Ruhe lesen können. Mit <strong>Fortsetzen</strong> geht es weiter.</li>
<li>Klicken Sie auf ein Ereignis, um zu sehen, was es enthält.</li>
<li>Namen und Kontakte sehen nur die, die Kunden sehen dürfen.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Wozu sind Ereignisse gut?</strong> Um herauszufinden, was geschehen ist, etwa bei einem Kunden. Und für andere Systeme: Entwickler lesen Ereignisse über die API oder empfangen sie über <a href="webhooks">Webhooks</a>.</p>
<p><strong>Können Ereignisse gelöscht werden?</strong> Nein. Wird ein Kunde anonymisiert, werden die persönlichen Angaben darin geleert.</p>
`},h={title:"Importe",html:`<p>Übernehmen Sie, was Sie haben: Kunden, Punkte, Bons. Nehmen Sie die Datei, die Ihr bisheriges Programm exportiert; Sie müssen sie nicht umbauen.</p>
<h2>So läuft es</h2>
<ol>
<li>Drücken Sie <strong>Datei importieren</strong>. Wählen Sie, was die Datei enthält, und die Datei.</li>
<li>Punchcard errät, wie Datumsangaben und Zahlen geschrieben sind und welche Spalte was ist. Korrigieren Sie, was nicht stimmt. Ihre Auswahl bleibt für die nächste Datei mit diesen Spalten erhalten.</li>
<li>Sehen Sie sich die ersten Datensätze an, wie sie gespeichert würden. <strong>Datei prüfen</strong> probiert alle aus und speichert nichts.</li>
<li>Drücken Sie <strong>Jetzt importieren</strong>. Sie können die Seite verlassen.</li>
</ol>
<h2>Kunden, die es schon gibt</h2>
<p>Wählen Sie <strong>Ablehnen</strong> oder <strong>Aktualisieren</strong>. Leere Zellen lassen Vorhandenes stehen. Einwilligungen, Stufe und ob jemand aktiv ist, ändern sich nur, wenn Sie sie unter <strong>Auch ersetzen</strong> ankreuzen.</p>
<h2>Fragen</h2>
<p><strong>Einige Datensätze wurden abgelehnt.</strong> Die Seite nennt sie mit dem Grund. Korrigieren Sie sie und importieren Sie sie in einer eigenen Datei, denn Punkte, die noch einmal importiert werden, werden noch einmal gutgeschrieben.</p>
<p><strong>Es war die falsche Datei.</strong> <strong>Import rückgängig machen</strong> nimmt Kunden oder Punkte zurück. Was sich seitdem geändert hat, bleibt und wird genannt. Bons werden durch Retouren zurückgenommen.</p>
<p><strong>Bekommen Kunden Nachrichten?</strong> Nur wenn Sie <strong>Willkommen heißen</strong> oder <strong>Kunden benachrichtigen</strong> ankreuzen oder eine Spalte der Datei es verlangt.</p>
`},o={title:"Einladungen",html:`<p>Kunden laden Freunde ein, und beide können etwas gewinnen.</p>
<ul>
<li>Ein Kunde lädt jemanden per E-Mail oder Telefon ein oder teilt einen persönlichen Link aus der App. Wer darüber beitritt, gilt als eingeladen.</li>
<li>Eine <a href="rules">Punkteregel</a> der Art <strong>Punkte für Einladungen</strong> sagt, wer Punkte erhält und wofür: für den Beitritt, den ersten Kauf oder jeden Kauf.</li>
<li>Diese Seite zeigt, wer wen eingeladen hat, wie weit es kam (<strong>Eingeladen</strong>, <strong>Registriert</strong>, <strong>Hat etwas gekauft</strong>) und wie viele Punkte jede Seite bekam.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum hat niemand Punkte bekommen?</strong> Vielleicht gibt es keine Regel, oder sie ist für andere Stufen oder Segmente: Sie muss auf den Freund passen. Ein Kunde, der nicht aktiv ist, bekommt nichts.</p>
<p><strong>Kann jemand zweimal eingeladen werden?</strong> Nein. Auch nicht, wer schon Kunde ist.</p>
`},m={title:"Jobs",html:`<p>Was der Server von selbst erledigt: Punkte verfallen, Segmente werden berechnet, Push-Nachrichten werden gesendet.</p>
<ul>
<li>Jede Zeile zeigt, wie oft ein Job läuft, wie der letzte Lauf ausging und wann der nächste ansteht.</li>
<li>Die Schaltfläche mit dem Pfeil am Ende einer Zeile startet einen Job sofort. Sie brauchen sie selten.</li>
<li>Ein fehlgeschlagener Job wird von selbst wiederholt, und die <a href="overview">Übersicht</a> sagt es Ihnen.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Ein Job ist fehlgeschlagen. Was kann ich tun?</strong> Die Zeile sagt in wenigen Worten warum, etwa weil die Festplatte voll ist. Schlägt er wieder fehl, zeigen Sie den Abschnitt <strong>Technische Details</strong> der Person, die den Server betreibt.</p>
<p><strong>Ist es schlimm, wenn ein Job etwas zu spät läuft?</strong> Kaum. Verfallene Punkte und Gutscheine lassen sich nicht einlösen, ob der Job gelaufen ist oder nicht.</p>
`},f={title:"Beitrittsseite",html:`<p>Wie Menschen Ihr Programm finden und ihm beitreten.</p>
<ul>
<li>Die Seite unter dieser <strong>Adresse</strong> zeigt Besuchern, wie man sammelt, was es dafür gibt und welche Stufen es gibt. Dort treten sie bei.</li>
<li>Das <strong>Plakat</strong> enthält die Adresse als QR-Code. <strong>Drucken</strong> Sie es für Ihre Theke oder Ihr Schaufenster.</li>
<li><strong>Auf Ihrer Website</strong> hat einige Zeilen für Ihre eigene Website. Sie zeigen dort dieselbe Seite.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum zeigt meine Website sie nicht?</strong> Tragen Sie die Adresse der Website in den <a href="settings">Einstellungen</a> unter <strong>Links und Teilnahmebedingungen</strong> ein, bei <strong>Websites, die die Beitrittsseite zeigen dürfen</strong>. Solange diese Liste leer ist, darf es keine.</p>
<p><strong>Warum fehlt eine Prämie?</strong> Besucher sehen Prämien mit dem Häkchen <strong>Öffentlich</strong>. Setzen Sie es im Formular der <a href="campaigns">Kampagne</a>.</p>
<p><strong>Müssen neue Kunden ihr Konto aktivieren?</strong> Das entscheiden Sie in den Einstellungen unter <strong>Rechte der Kunden</strong>. Es hält Adressen fern, die vertippt sind oder anderen gehören.</p>
<p><strong>Können meine Verkäufer Kunden hinzufügen?</strong> Ja, an der Kasse.</p>
`},S={title:"Automatische Nachrichten",html:`<p>Nachrichten, die Kunden zu einem Anlass von selbst erhalten, mit oder ohne Geschenk.</p>
<h2>So beginnen Sie</h2>
<ol>
<li>Wählen Sie einen Anlass, etwa den Geburtstag, und drücken Sie <strong>Neu</strong>.</li>
<li>Legen Sie fest, wann die Nachricht gesendet wird, an wen, und was sie in jeder Sprache sagt.</li>
<li>Fügen Sie ein Geschenk hinzu, wenn Sie möchten: Punkte oder eine Prämie.</li>
<li>Drücken Sie <strong>Einschalten</strong>. Die Seite zeigt, wie viele Kunden sie heute erreicht.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Ein Kunde erhält Nachricht und Geschenk zu einem Anlass nur einmal.</li>
<li>Frühere Anlässe werden nicht nachgeholt.</li>
<li>Ohne Nachricht gibt es kein Geschenk, etwa wenn die Einwilligung fehlt.</li>
<li>In den <a href="settings">Einstellungen</a> steht, wie viele Werbenachrichten ein Kunde höchstens erhält.</li>
</ul>
`},p={title:"Schlüssel für Programme",html:`<p>Ein Programm, etwa ein Onlineshop oder eine fremde Kasse, ruft Punchcard mit einem Schlüssel auf. Legen Sie für jedes Programm einen an.</p>
<ol>
<li>Drücken Sie <strong>Neuer Schlüssel</strong>, benennen Sie das Programm und wählen Sie, was es sehen und ändern darf.</li>
<li>Legen Sie den Schlüssel an und kopieren Sie sein Geheimnis. Es wird einmal gezeigt.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Ein Schlüssel darf nie mehr als Sie: Verliert Ihre Rolle Rechte, verliert er sie auch, und werden Sie abgeschaltet, gilt er nicht mehr.</li>
<li><strong>Neues Geheimnis</strong> ersetzt das Geheimnis. Das alte gilt noch einige Stunden, damit das Programm ohne Unterbrechung umgestellt werden kann.</li>
<li><strong>Widerrufen</strong> hält den Schlüssel sofort an.</li>
<li>Kein Schlüssel kann Schlüssel anlegen oder Rollen, Administratoren und Passwörter ändern.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Ein Geheimnis ist in falsche Hände geraten. Was nun?</strong> Legen Sie ein <strong>Neues Geheimnis</strong> mit 0 Stunden an oder <strong>Widerrufen</strong> Sie den Schlüssel. Das <a href="audit">Protokoll</a> zeigt, was er getan hat.</p>
`},k={title:"Sprachen",html:`<p>Die Sprachen, in denen Prämien, Stufen und Kategorien Texte haben, in allen Shops.</p>
<ul>
<li>Drücken Sie <strong>Sprache hinzufügen</strong>, und die Formulare haben Platz für ihre Texte.</li>
<li>Die <strong>Standardsprache</strong> wird gezeigt, wo ein Text in der Sprache des Kunden fehlt.</li>
<li>Nachrichten gibt es auf Englisch, Polnisch, Deutsch, Französisch und Spanisch. Für andere Sprachen schreiben Sie eigene unter <a href="messages">Nachrichten</a>.</li>
</ul>
<h2>Fragen</h2>
<p><strong>In welcher Sprache erhalten Kunden Nachrichten?</strong> In der, die sie in der App wählen oder die Sie in ihrem Profil wählen.</p>
<p><strong>Was, wenn ich eine Sprache entferne?</strong> Alle Texte in ihr gehen verloren, in jedem Shop.</p>
<p><strong>Wie ändere ich die Sprache dieses Cockpits?</strong> Im Menü Ihres Kontos oben. Jeder Administrator wählt seine eigene.</p>
`},b={title:"Stufen",html:`<p>Stufen belohnen Ihre besten Kunden: Bronze, Silber, Gold. Eine Stufe kann einen Rabatt bringen, dazu eigene Prämien und Punkteregeln.</p>
<h2>Stufe anlegen</h2>
<ol>
<li>Drücken Sie <strong>Stufe hinzufügen</strong>. Geben Sie ihr einen Namen und eine Beschreibung, die Kunden in der App sehen.</li>
<li>Legen Sie fest, ab welchem Wert Kunden sie erreichen. Es zählen Einkäufe oder Punkte, wie es die <a href="settings">Einstellungen</a> sagen. Alle beginnen in einer Stufe mit 0.</li>
<li>Tragen Sie einen Rabatt ein, wenn sie einen hat. App und Kasse zeigen ihn an; Ihr Laden gewährt ihn.</li>
</ol>
<h2>Fragen</h2>
<p><strong>Wann steigen Kunden auf?</strong> Sofort, mit dem Bon oder den Punkten, die den Wert erreichen.</p>
<p><strong>Wann steigen sie ab?</strong> Wenn Einkäufe zählen: wenn eine Retoure sie unter den Wert bringt. Wenn Punkte zählen, entscheidet <strong>Kunden fallen in eine niedrigere Stufe</strong> in den Einstellungen: nie, sobald sie zu wenige haben, oder nach einer Anzahl von Tagen.</p>
<p><strong>Kann ich jemandem eine Stufe geben?</strong> Ja, mit <strong>Stufe von Hand setzen</strong> im Profil des Kunden. Sie bleibt, bis der Kunde eine höhere erreicht oder Sie <strong>Stufe wieder nach Einkäufen bestimmen</strong> wählen.</p>
<p><strong>Kann ich eine Stufe löschen?</strong> Ja. Ihre Kunden wechseln in die Stufe, die ihre eigenen Zahlen erreichen. Eine Stufe zum Beginnen muss bleiben.</p>
`},w={title:"Limits",html:`<p>Wie groß und wie viel etwas auf diesem Server sein darf, und wie oft etwas getan werden darf. Sie verhindern, dass ein Fehler das Programm für alle anhält.</p>
<ul>
<li>Jede Zeile hat den Namen eines Limits und seinen <strong>Wert</strong>. Tippen Sie ein Wort, um eines zu finden.</li>
<li>Fehlermeldungen und Dokumentation verwenden dieselben Namen.</li>
<li>Steht etwas unter <strong>Festgelegt durch</strong>, kann die Person, die den Server betreibt, das Limit ändern.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Brauche ich diese Seite?</strong> Selten: wenn eine Fehlermeldung oder ein Entwickler ein Limit nennt.</p>
<p><strong>Kann ich ein Limit hier ändern?</strong> Nein. Fragen Sie die Person, die den Server betreibt.</p>
`},K={title:"Mailings",html:`<p>Schreiben Sie vielen Kunden auf einmal, per E-Mail, SMS, Push oder in den Posteingang der App.</p>
<h2>Ein Mailing senden</h2>
<ol>
<li>Drücken Sie <strong>Mailing schreiben</strong>. Wählen Sie die Kanäle und <strong>Wer es erhält</strong>. Sie sehen, wie viele in Werbung eingewilligt haben und wie viele jeder Kanal erreicht.</li>
<li>Schreiben Sie den Text in jeder Sprache. Aus einem Platzhalter wie {{ first_name }} wird der Name des Kunden. Für E-Mails wählen Sie <strong>Einfacher Text</strong> oder <strong>Bausteine</strong>: Überschriften, Schaltflächen, Bilder und Prämien im Aussehen Ihres Geschäfts. Ziehen Sie einen Baustein an seinem Namen, oder nehmen Sie seine Pfeile.</li>
<li>Sehen Sie ihn unter <strong>So kommt es beim Kunden an</strong> an. Ist es eine E-Mail, schickt <strong>Test senden</strong> sie an Sie.</li>
<li>Drücken Sie <strong>Speichern</strong> und dann <strong>Jetzt senden</strong>. Haben Sie unter <strong>Senden am</strong> eine Zeit gewählt, heißt die Schaltfläche <strong>Planen</strong>.</li>
</ol>
<p>Während des Sendens können Sie das Mailing <strong>Anhalten</strong> oder <strong>Stoppen</strong>.</p>
<h2>Gut zu wissen</h2>
<ul>
<li>E-Mail, SMS und Push erreichen nur Kunden, die in Werbung eingewilligt haben. Der Posteingang erreicht alle, die Sie gewählt haben.</li>
<li>Mit einem Link in jeder E-Mail und SMS können Kunden solche Nachrichten abbestellen.</li>
<li>Niemand erhält dasselbe Mailing zweimal.</li>
<li>In den Ruhezeiten Ihrer <a href="settings">Einstellungen</a> geht es nur in den Posteingang. Der Rest wartet.</li>
<li>Das Ergebnis zählt, was auf jedem Kanal gesendet wurde und was fehlschlug, und wer Ihrem Link gefolgt ist.</li>
<li>Klicks auf Schaltflächen, Bilder und Prämien einer E-Mail zählen wie die auf Ihren Link.</li>
</ul>
`},P={title:"Nachrichten",html:`<p>Was Punchcard von selbst schreibt: Aktivierung, ein neues Passwort, verfallende Punkte, ein Geburtstag und so weiter.</p>
<ul>
<li><strong>Texte</strong>: Jede Nachricht hat einen fertigen Text. Öffnen Sie ihn, um ihn zu ändern, anzusehen, mit <strong>Wird gesendet</strong> auszuschalten oder mit <strong>Gespeicherten Text als Test senden</strong> auszuprobieren. Einige sind anfangs aus, etwa Geburtstagsgrüße.</li>
<li><strong>Gesendete Nachrichten</strong>: was an wen ging, was wartet, was fehlschlug und warum. Für fehlgeschlagene gibt es <strong>Erneut senden</strong>.</li>
<li><strong>Versand</strong>: ob Nachrichten gesendet werden können, Ihr Mailserver und Dienste für SMS und Push. <strong>Test senden</strong> probiert es aus. SMS gehen über ein eigenes Gateway oder über <strong>Twilio</strong>: Geben Sie Konto, Absender und Token ein. Push-Nachrichten können ohne Dienst an die Browser der Kunden gehen: Schalten Sie <strong>An Browser senden</strong> ein; Kunden schalten sie in ihrem Konto ein.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Brauche ich einen Mailserver?</strong> Punkte sammeln und Gutscheine einlösen geht auch ohne. Kunden können dann aber weder ihr Konto selbst aktivieren noch selbst ein neues Passwort wählen.</p>
<p><strong>Warum kann ich hier etwas nicht ändern?</strong> Texte mit Links oder Codes und der Weg, auf dem Nachrichten hinausgehen, könnten jedes Konto öffnen. Dafür brauchen Sie die Berechtigung <strong>Wohin Nachrichten mit Passwörtern und Links gehen</strong> und Ihr Passwort.</p>
`},z={title:"Benachrichtigungen",html:`<p>Kurze Nachrichten, die Kunden von selbst im Posteingang der App erreichen: eine neue Prämie, und Gutscheine, Punkte oder Stufen, die bald enden.</p>
<ul>
<li>Jede Prämie hat einen eigenen Text: <strong>Nachricht an Kunden</strong> im Formular der <a href="campaigns">Kampagne</a>. Lassen Sie das Feld leer, lesen Kunden ihren Namen.</li>
<li>Alle, für die die Prämie ist, erhalten ihn einmal, auch wer später in ihre Stufe oder ihr Segment kommt.</li>
<li><strong>Angekündigte Prämien</strong> zeigt, wie weit das ist.</li>
<li>Wie viele Tage vor einem Ende Kunden Bescheid bekommen, steht in den <a href="settings">Einstellungen</a> unter <strong>Nachrichten</strong>.</li>
<li><strong>Gateway</strong> übergibt Benachrichtigungen an einen Dienst von Ihnen, der Push-Nachrichten oder SMS daraus macht. Dafür brauchen Sie einen Entwickler.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum bekam ein neuer Kunde keine Nachricht zu einer Prämie?</strong> Sie war schon im Angebot. Neue Kunden sehen sie in der App.</p>
<p><strong>Wie sende ich andere Neuigkeiten?</strong> Schreiben Sie ein <a href="mailings">Mailing</a>.</p>
`},v={title:"Übersicht",html:`<p>Die erste Seite jedes Tages: was das Programm gebracht hat und was auf Sie wartet.</p>
<h2>Was Sie sehen</h2>
<ul>
<li>Die Kennzahlen gelten für die Tage, die Sie oben wählen, und werden mit den Tagen davor oder mit dem Vorjahr verglichen. Die drei großen führen zu dem, was dahintersteht.</li>
<li><strong>Handlungsbedarf</strong> nennt Prämien, die ausgehen, Punkte, die bald verfallen, fehlgeschlagene Nachrichten und Ähnliches. Eine Zeile führt dorthin, wo Sie etwas tun können.</li>
<li><strong>Beliebteste Prämien</strong> sind die, die Kunden in diesen Tagen am häufigsten gekauft haben.</li>
<li><strong>Neueste Ereignisse</strong> zeigt, was Ihre Kunden in diesem Moment tun.</li>
</ul>
<h2>Die ersten Schritte</h2>
<p>In einem neuen Shop steht <strong>Erste Schritte</strong> über den Kennzahlen, bis ein Kunde Punkte sammeln, eine Prämie kaufen und einlösen kann. Jeden Schritt erledigen Sie gleich dort. <strong>Überspringen</strong> Sie, was Sie jetzt nicht brauchen: Sie können es später auf der eigenen Seite nachholen.</p>
<h2>Fragen</h2>
<p><strong>Warum ist die Zahl von gestern heute anders?</strong> Eine Retoure, ein stornierter Kauf oder ein gelöschter Kunde ändert den Tag des Verkaufs, des Kaufs oder der Registrierung. So stimmt jeder Tag mit dem heutigen Stand überein.</p>
<p><strong>Wann beginnt ein Tag?</strong> Um Mitternacht in der <strong>Zeitzone</strong> Ihres Shops, die Sie in den <a href="settings">Einstellungen</a> wählen.</p>
`},E={title:"Verbindlichkeiten",html:`<p>Die Punkte, die Kunden haben, sind ein Versprechen. Diese Seite zeigt, wie groß es ist: für Ihre Buchhaltung und um zu sehen, was kommt.</p>
<h2>Was Sie sehen</h2>
<ul>
<li><strong>Punkte, die Kunden haben</strong> sind alle Punkte, die eingelöst werden können, und die vorgemerkten und gesperrten.</li>
<li><strong>Verfallen zuerst</strong> sind die des nächsten Monats, in dem Punkte verfallen.</li>
<li><strong>Verfallen statt eingelöst</strong> ist ein Anteil: wie viele von allen Punkten, die in diesem Monat und den elf davor verfallen konnten, verfallen sind.</li>
<li><strong>Nach Verfallsmonat</strong> und <strong>Nach Stufe</strong> teilen die Summe auf.</li>
</ul>
<h2>In Geld</h2>
<p>Tragen Sie <strong>Kosten eines Punkts</strong> in den <a href="settings">Einstellungen</a> ein, und jede Summe hat einen Wert. Wenn Sie die Kosten später ändern, behalten frühere Tage ihre.</p>
<h2>Für die Buchhaltung</h2>
<p><strong>Herunterladen</strong> speichert ein Journal der letzten zwölf Monate: vergebene, eingelöste, verfallene und neu bewertete Punkte, als doppelte Buchungen je Tag. Mit den Kosten eines Punkts stimmt es auf den Cent mit dem Stand überein.</p>
<p>Gekaufte Gutscheine, die noch nicht eingelöst sind, stehen in den <a href="reports">Berichten</a> unter <strong>Prämien</strong>.</p>
`},W={title:"Verkaufsstellen",html:`<p>Ihre Läden, Webshops und Kassen. Bons und <a href="sellers">Verkäufer</a> gehören zu einer, so dass es für jede Kennzahlen gibt.</p>
<ul>
<li>Drücken Sie <strong>Verkaufsstelle hinzufügen</strong>. Ein Name genügt.</li>
<li>Die <strong>Kennung</strong> ist die Nummer der Kasse oder des Ladens in Ihren anderen Systemen. Bleibt sie leer, ist es der Name.</li>
<li><strong>Verkäufe</strong> und <strong>Umsatz</strong> zeigen, wie viele Bons jede bisher hat und ihren Wert abzüglich Retouren.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Kann etwas nur für einen Laden gelten?</strong> <a href="rules">Punkteregeln</a> können es. Für eine Prämie legen Sie ein <a href="segments">Segment</a> mit <strong>Hat in einer Verkaufsstelle gekauft</strong> an.</p>
<p><strong>Kann ich eine Verkaufsstelle löschen?</strong> Nein, weil Bons auf sie verweisen.</p>
<p><strong>Was ist eine registrierte Kasse?</strong> Ein Gerät, an dem sich <a href="sellers">Verkäufer</a> mit einer PIN statt eines Passworts abwechseln. Ein Verkäufer registriert es im Kontomenü der Kasse. Entfernen Sie es hier, wenn es verloren geht oder anderswohin kommt.</p>
`},D={title:"Berichte",html:`<p>Kennzahlen der Tage, die Sie wählen, im Vergleich mit dem Zeitraum davor, mit dem Vorjahr oder mit eigenen Tagen.</p>
<h2>So lesen Sie sie</h2>
<ul>
<li>Wählen Sie oben den Zeitraum. Alles auf der Seite folgt ihm.</li>
<li>Unter <strong>Kennzahlen</strong> sagt jede Zeile, wie sie gezählt wird. <strong>Zeilen anzeigen</strong> führt zu dem, was dahintersteht.</li>
<li><strong>Nach Verkaufsstelle</strong> und <strong>Nach Stufe</strong> teilen den Umsatz auf.</li>
<li>Darunter sagt <strong>Gutscheine je Prämie</strong> für jede Prämie, wie viele Gutscheine gekauft und benutzt wurden, was sie kosteten und was damit verkauft wurde.</li>
<li><strong>Herunterladen</strong> speichert eine Tabelle als Tabellendatei oder CSV.</li>
</ul>
<h2>Prämien und Kunden</h2>
<p>Für manche Fragen muss jeder Gutschein oder Bon gelesen werden: was jede Prämie gekostet und gebracht hat, wie viele Kunden wieder kaufen und wie die bleiben, die in einem Monat beigetreten sind. Öffnen Sie <strong>Prämien</strong> oder <strong>Kunden</strong> und drücken Sie <strong>Bericht berechnen</strong>. Sie können die Seite verlassen; der Bericht ist da, wenn Sie zum selben Zeitraum zurückkehren.</p>
<h2>Fragen</h2>
<p><strong>Für welche Stufe zählt ein Verkauf?</strong> Für die, die der Kunde hatte, als der Bon ankam.</p>
<p><strong>Und für welche Segmente?</strong> Für die, in denen der Kunde ist, wenn der Bericht berechnet wird. Der Zeitraum darf höchstens 92 Tage haben.</p>
<p><strong>Was ist die Einlösequote?</strong> Die in diesen Tagen eingelösten Punkte, geteilt durch die in diesen Tagen vergebenen. Die eingelösten Punkte können älter sein.</p>
<p>Was Sie in Punkten schulden, steht auf einer eigenen Seite: <a href="owed">Verbindlichkeiten</a>.</p>
`},A={title:"Rollen",html:`<p>Eine Rolle legt fest, was ein Administrator sehen und ändern darf. Geben Sie jeder Person die kleinste Rolle, die für ihre Arbeit reicht.</p>
<ul>
<li><strong>Sehen</strong> erlaubt, einen Bereich anzusehen, <strong>Ändern</strong> erlaubt auch, ihn zu ändern.</li>
<li>Die <strong>Standardrolle</strong> ist bei neuen Administratoren vorausgewählt.</li>
<li>Änderungen gelten nach Sekunden, auch für die, die angemeldet sind.</li>
<li>Eine Rolle darf alles. Nur ihr Name lässt sich ändern.</li>
<li><strong>Wohin Nachrichten mit Passwörtern und Links gehen</strong> ist für wenige: Wer das ändern darf, könnte jedes Konto öffnen.</li>
<li><strong>Zweiter Faktor</strong>: Verlangen Sie von allen mit der Rolle einen Passkey oder eine Authenticator-App, und geben Sie ihnen einige Tage dafür. Wer danach keinen hat, kann nur noch einen hinzufügen.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum kann ich eine Rolle nicht löschen?</strong> Jemand hat sie: Geben Sie dieser Person zuerst eine andere. Oder es ist die Standardrolle oder die, die alles darf.</p>
<p><strong>Warum kann ich eine Rolle nicht ändern?</strong> Sie darf vielleicht mehr als Ihre.</p>
`},G={title:"Punkteregeln",html:`<p>Punkteregeln legen fest, wofür Kunden Punkte erhalten: für ausgegebenes Geld, bestimmte Produkte, einen ersten Einkauf, einen Geburtstag, eine Einladung, einen Besuch.</p>
<h2>Regel anlegen</h2>
<ol>
<li>Drücken Sie <strong>Punkteregel hinzufügen</strong> und wählen Sie eine Art. <strong>Punkte für ausgegebenes Geld</strong> ist der übliche Anfang, etwa 1 Punkt je Euro.</li>
<li>Sagen Sie, wie viele Punkte, für wen und wann. <strong>Ohne Datum</strong> heißt immer.</li>
<li>Speichern Sie sie mit dem Häkchen <strong>Aktiv</strong>. Von da an gilt sie.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Regeln addieren sich. <strong>Punkte von Produkten multiplizieren</strong> vervielfacht, was die Regel für ausgegebenes Geld bei diesen Produkten gibt.</li>
<li>Eine Regel kann für bestimmte Stufen oder Segmente und für bestimmte Verkaufsstellen gelten.</li>
<li>Bei Codes, Orten und eigenen Ereignissen können Sie begrenzen, wie oft ein Kunde die Punkte erhält.</li>
<li>Eine geänderte Regel ändert nichts, was vorher gesammelt wurde.</li>
<li>Was keine Punkte bringt, steht in der Regel für ausgegebenes Geld: <strong>Lieferung zählt nicht</strong>, <strong>Produkte, die nicht zählen</strong>.</li>
<li>Wie Punkte gerundet werden und wann sie verfallen, steht in den <a href="settings">Einstellungen</a>.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Wie probiere ich meine Regeln aus?</strong> Beginnen Sie, einen <a href="transactions">Bon</a> zu erfassen: Wählen Sie einen Kunden und tragen Sie einen Wert ein, und die Seite zeigt die Punkte. Verlassen Sie sie, ohne zu speichern, und nichts wird gespeichert.</p>
`},N={title:"Segmente",html:`<p>Ein Segment ist eine Gruppe von Kunden, die etwas gemeinsam haben: die 60 Tage nichts gekauft haben, bald Geburtstag haben, Kaffee kaufen. Nutzen Sie Segmente für <a href="campaigns">Kampagnen</a>, <a href="rules">Punkteregeln</a> und <a href="mailings">Mailings</a>.</p>
<h2>Segment anlegen</h2>
<ol>
<li>Drücken Sie <strong>Segment hinzufügen</strong>, geben Sie ihm einen Namen und wählen Sie ein <strong>Kriterium</strong>, etwa <strong>Hat länger nicht gekauft</strong>.</li>
<li>Fügen Sie weitere hinzu, wenn Sie möchten. In einer Gruppe genügt ein Kriterium; jede Gruppe muss erfüllt sein. Eine Einstellung kehrt das um.</li>
<li>Am Ende des Formulars sehen Sie vor dem Speichern, wie viele Kunden das findet, und einige davon.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Kunden kommen und gehen von selbst: sofort, wenn sich bei ihnen etwas ändert, und um Mitternacht, wo Tage zählen.</li>
<li>Ein Kunde, der in ein Segment kommt, sieht dessen Prämien sofort.</li>
<li>Nur aktive Kunden sind Mitglieder.</li>
<li>Solange <strong>Mitglieder aktuell halten</strong> aus ist, behandeln Prämien und Regeln das Segment als leer.</li>
<li>Wenn Sie ein Segment löschen, bleiben seine Kunden Kunden.</li>
</ul>
`},F={title:"Verkäufer",html:`<p>Wer Ihre Kunden an der Kasse bedient.</p>
<h2>Einen Verkäufer hinzufügen</h2>
<ol>
<li>Drücken Sie <strong>Verkäufer hinzufügen</strong>. Zuerst brauchen Sie eine <a href="points-of-sale">Verkaufsstelle</a>.</li>
<li>Tragen Sie den Namen, die E-Mail-Adresse für die Anmeldung und ein Passwort ein, das Sie dem Verkäufer sagen.</li>
<li>Legen Sie unter <strong>Darf</strong> fest, was neben dem Hinzufügen von Kunden und dem Verkauf von Prämien noch erlaubt ist: Bons erfassen, Gutscheine einlösen und nachschlagen, Käufe stornieren, Punkte gutschreiben und einlösen.</li>
</ol>
<p>Die Kasse läuft im Browser, auf einem Tablet oder Telefon. Ohne Netz behält sie, was eingegeben wurde, und sendet es später.</p>
<h2>Fragen</h2>
<p><strong>Wo ist die Kasse?</strong> Melden Sie sich von diesem Cockpit ab: Unter der Anmeldung steht <strong>Für die Kasse</strong>.</p>
<p><strong>Ein Verkäufer hört auf.</strong> Schalten Sie <strong>Darf sich anmelden</strong> aus. Der Verkäufer wird sofort abgemeldet, und die bisherige Arbeit bleibt erhalten.</p>
<p><strong>Ein Passwort wurde vergessen.</strong> Tragen Sie hier ein <strong>Neues Passwort</strong> ein. Mit einem Mailserver können Verkäufer auch selbst eines an der Kasse wählen.</p>
<p><strong>Ein Verkäufer hat das Telefon verloren.</strong> Drücken Sie hier <strong>Zweite Faktoren zurücksetzen</strong>: Der Verkäufer meldet sich mit dem Passwort allein an und fügt dann einen neuen hinzu. Die <a href="settings">Einstellungen</a> legen fest, ob Verkäufer einen brauchen.</p>
`},T={title:"Einstellungen",html:`<p>Was Ihr Shop selbst entscheidet. Jedes Feld sagt, was es tut, und Änderungen gelten, sobald Sie speichern.</p>
<h2>Die wichtigsten</h2>
<ul>
<li><strong>Zeitzone</strong>: wo Tage beginnen und enden.</li>
<li><strong>Währung</strong>: Sie ändern sie unter <a href="stores">Shops</a>, bis zum ersten Bon.</li>
<li><strong>Punkte verfallen</strong>: nach einigen Tagen, am Ende des Monats oder Jahres, oder nie. Punkte, die Kunden haben, behalten ihr Datum.</li>
<li><strong>Kunden erreichen Stufen durch</strong>: Umsatz oder Punkte.</li>
<li><strong>Produkte, die nicht zählen</strong>: nur für Stufen. Für Punkte hat jede <a href="rules">Punkteregel</a> ihre eigene Liste.</li>
<li><strong>Wie Bons ihren Kunden finden</strong>: über E-Mail, Karte oder Telefon, und in welcher Reihenfolge.</li>
<li><strong>Keine Werbenachrichten von</strong>: die Ruhezeiten.</li>
<li><strong>Aussehen der Kunden-App</strong>: Farbe, Logo und ein großes Bild.</li>
<li><strong>Verkäufer</strong>: ob sie an der Kasse einen zweiten Faktor brauchen. Das wird getrennt vom Rest gespeichert.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum kann ich ein Feld nicht ändern?</strong> Ihre Rolle darf die Einstellungen nur sehen. Oder das Feld bestimmt, wohin Links in Nachrichten führen: Dann brauchen Sie die Berechtigung <strong>Wohin Nachrichten mit Passwörtern und Links gehen</strong> und Ihr Passwort.</p>
`},B={title:"Single Sign-on",html:`<p>Administratoren melden sich mit den Konten Ihrer Organisation an, über einen Anbieter wie Keycloak, Entra ID oder Google Workspace. Drücken Sie <strong>Anbieter hinzufügen</strong> und übernehmen Sie dessen Aussteller, Client-ID und Client-Geheimnis. Nennen Sie danach dem Anbieter die Redirect-URI, die diese Seite zeigt.</p>
<ul>
<li><strong>Rollen nach Gruppe</strong> bestimmen, was jemand darf. Sie werden bei jeder Anmeldung neu gelesen, und die erste Gruppe der Liste zählt.</li>
<li><strong>Testen</strong> fragt, ob der Anbieter antwortet. <strong>Gruppen probieren</strong> zeigt, welche <a href="roles">Rolle</a> Gruppen geben.</li>
<li>Wer hier schon ein Konto hat, meldet sich dort an und verknüpft es im Benutzermenü unter <strong>Verknüpfte Konten</strong>.</li>
<li>Der Reiter des <strong>Shops</strong> enthält die Anbieter dieses Shops. Sie geben Rollen in diesem Shop, und <strong>Verkäufer nach Gruppe</strong> lässt Verkäufer an die Kasse. Verkäufer, die schon ein Konto haben, verknüpfen es im Menü der Kasse.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Jemand verlässt die Firma.</strong> Entziehen Sie die Gruppen beim Anbieter. Mit Back-Channel-Logout enden Sitzungen sofort; sonst schalten Sie auch das <a href="administrators">Konto</a> aus.</p>
<p><strong>Warum wird eine neue Person abgewiesen?</strong> Keine ihrer Gruppen steht in der Liste, oder es gibt ein Konto mit ihrer E-Mail-Adresse, das sie verknüpfen muss.</p>
<p><strong>Niemand kann sich mehr anmelden.</strong> Führen Sie auf dem Server <code>punchcard admin allow-passwords</code> aus und melden Sie sich mit einem Passwort an.</p>
`},I={title:"Shops",html:`<p>Jeder Shop ist ein eigenes Programm, mit eigenen Kunden, Prämien, Punkten und Einstellungen. Gemeinsam sind Administratoren, Rollen und Sprachen.</p>
<ul>
<li><strong>Shop eröffnen</strong> legt einen neuen an, mit den Einstellungen des Standardshops. Kunden können beitreten, sobald er eine Stufe hat.</li>
<li>Der <strong>Code</strong> ist Teil von Adressen und lässt sich später nicht ändern.</li>
<li>Die <strong>Währung</strong> lässt sich bis zum ersten Bon ändern.</li>
<li>Eine <strong>Sandbox zum Ausprobieren</strong> hat eine <a href="clock">Uhr</a>, die sich vorstellen lässt. Das wählen Sie beim Eröffnen, und es bleibt so.</li>
<li><strong>Dorthin wechseln</strong> führt zu einem anderen Shop. Das tut auch der Name des Shops oben.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Was geschieht, wenn ich einen Shop ausschalte?</strong> Seine Kunden und Verkäufer werden abgemeldet und erhalten keine Antwort mehr. Nichts wird gelöscht, aber Punkte verfallen weiterhin.</p>
`},M={title:"Bons",html:`<p>Jeder Verkauf und jede Retoure, die Ihre Läden und Kassen gesendet haben.</p>
<h2>Was Sie tun können</h2>
<ul>
<li>Finden Sie einen Bon über seine Nummer. Filter wählen Verkäufe oder Retouren, eine Verkaufsstelle und Tage.</li>
<li><strong>Bon erfassen</strong>: von Hand, wenn die Kasse es nicht konnte.</li>
<li>Öffnen Sie einen Bon und wählen Sie <strong>Ware zurücknehmen</strong>, wenn ein Kunde etwas zurückgibt.</li>
<li>Öffnen Sie einen Bon, der niemandem gehört, und wählen Sie <strong>Einem Kunden zuordnen</strong>. Punkte, Stufe und Prämien folgen, als käme er jetzt an. Das lässt sich nicht rückgängig machen.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum hat ein Bon keinen Kunden?</strong> Er nannte keinen, oder seine E-Mail-Adresse, sein Telefon oder seine Karte gehört keinem aktiven Kunden oder ist noch nicht bestätigt. <strong>Wie Bons ihren Kunden finden</strong> in den <a href="settings">Einstellungen</a> sagt, wonach in welcher Reihenfolge gesucht wird.</p>
<p><strong>Warum hat er keine Punkte gebracht?</strong> Er hat keinen Kunden, keine <a href="rules">Punkteregel</a> passt, oder seine Produkte zählen nicht.</p>
<p><strong>Was macht eine Retoure?</strong> Sie nimmt Punkte anteilig zurück, dazu Wertgutscheine, die der Verkauf gebracht hat, und senkt die Kennzahlen.</p>
<p><strong>Zählt ein Bon doppelt, wenn die Kasse ihn noch einmal sendet?</strong> Nein. Jede Nummer wird nur einmal verwendet.</p>
`},V={title:"Punktebuchungen",html:`<p>Jede Bewegung von Punkten: gesammelt, eingelöst, gesperrt, von einem Kunden an einen anderen gegeben. Nichts davon wird je gelöscht; Versehen werden storniert.</p>
<h2>Was Sie tun können</h2>
<ul>
<li><strong>Punkte gutschreiben</strong>: Der Kunde sieht den <strong>Grund</strong>. Die Punkte verfallen, wie es die Einstellungen sagen, oder nach den Tagen unter <strong>Gültig für</strong>.</li>
<li><strong>Punkte einlösen</strong>: für einen Kunden.</li>
<li>Öffnen Sie eine Buchung und wählen Sie <strong>Punkte stornieren</strong>, wenn sie versehentlich gutgeschrieben wurden. Was davon eingelöst wurde, bleibt eingelöst.</li>
<li>An derselben Stelle gibt <strong>Jetzt freigeben</strong> Punkte frei, die warten, und <strong>Jetzt verfallen lassen</strong> beendet Punkte vorzeitig.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Welche Punkte werden zuerst eingelöst?</strong> Die, die zuerst verfallen.</p>
<p><strong>Was sind vorgemerkte Punkte?</strong> Punkte, die ein Kunde gesammelt hat, aber noch nicht einlösen kann, etwa bis die Ware nicht mehr zurückgegeben werden kann. Für wie viele Tage, sagen die <a href="settings">Einstellungen</a>.</p>
<p><strong>Ich habe versehentlich Punkte eingelöst.</strong> Schreiben Sie dieselbe Zahl wieder gut.</p>
<p><strong>Was macht eine Retoure?</strong> Sie nimmt die Punkte zurück, die die zurückgegebene Ware gebracht hat, aber nie mehr, als der Kunde hat.</p>
`},R={title:"Ausprobieren",html:`<p>Was bekommt ein Kunde für einen Warenkorb, und warum? Diese Seite fragt so wie eine Kasse oder ein Webshop. Nichts wird reserviert oder geändert.</p>
<h2>Einen Warenkorb ausprobieren</h2>
<ol>
<li>Wählen Sie einen Kunden, oder lassen Sie das Feld für jemand Unbekannten leer. <strong>Zeitpunkt</strong> probiert einen anderen Moment als jetzt.</li>
<li>Geben Sie einen Betrag ein. <strong>Positionen eingeben</strong> nimmt Artikelnummern, Kategorien und Labels, für Prämien und <a href="rules">Regeln</a> einzelner Produkte.</li>
<li>Fügen Sie Codes von Coupons hinzu, und die Prämien, die der Kunde kaufen will.</li>
</ol>
<p>Das Ergebnis ändert sich beim Tippen. <strong>Link kopieren</strong> kopiert eine Adresse mit allem, was Sie eingegeben haben.</p>
<h2>Das Ergebnis lesen</h2>
<ul>
<li><strong>Preis</strong> zeigt, was jeder Rabatt von jeder Position abzieht.</li>
<li><strong>Coupons und Prämien: warum</strong> nennt jede geprüfte Regel. Ein Kreuz sagt, was fehlt.</li>
<li><strong>Punkte</strong> zeigt, was jede Punkteregel für jede Position zahlt.</li>
<li><strong>Danach</strong> zeigt den Kontostand, die Stufe, und was bis zur nächsten Stufe und Prämie fehlt.</li>
</ul>
<h2>Fragen</h2>
<p><strong>Warum wird ein Coupon nicht angewendet, obwohl alle Regeln bis auf eine erfüllt sind?</strong> Von allen Kombinationen gilt die, die am meisten abzieht. Mit einer anderen ist der Preis gleich oder niedriger.</p>
<p><strong>Wer sieht diese Seite?</strong> Wer <a href="campaigns">Kampagnen</a> sehen darf. Um einen Kunden zu wählen oder einen Code einzugeben, muss man auch <a href="customers">Kunden</a> sehen dürfen.</p>
`},j={title:"Webhooks",html:`<p>Webhooks sagen Ihren anderen Systemen, was geschieht: ein Kauf, ein neuer Kunde, ein eingelöster Gutschein. Sie brauchen dafür einen Entwickler.</p>
<ol>
<li>Drücken Sie <strong>Webhook hinzufügen</strong>, tragen Sie die <strong>Adresse</strong> Ihres Systems ein und wählen Sie die Ereignisse.</li>
<li>Speichern Sie und bewahren Sie das Geheimnis auf. Es wird einmal angezeigt und beweist, dass ein Aufruf von Punchcard kommt.</li>
<li>Drücken Sie <strong>Testen</strong>.</li>
</ol>
<h2>Gut zu wissen</h2>
<ul>
<li>Fehlgeschlagene Aufrufe werden drei Tage lang wiederholt, in wachsenden Abständen.</li>
<li>Ein Webhook, der fünf Tage lang fehlschlägt, wird ausgeschaltet, und die <a href="overview">Übersicht</a> sagt es Ihnen. Schalten Sie ihn wieder ein, und er macht mit dem weiter, was er verpasst hat.</li>
<li><strong>Zustellungen</strong> nennt jeden Aufruf mit seiner Antwort. <strong>Erneut senden</strong> wiederholt einen, <strong>Fehlgeschlagene erneut senden</strong> alle, die fehlschlugen.</li>
</ul>
`},L={administrators:u,audit:i,bought:t,"bulk-actions":r,campaigns:s,cashback:c,categories:a,clock:l,customers:g,events:d,imports:h,invitations:o,jobs:m,joining:f,journeys:S,keys:p,languages:k,levels:b,limits:w,mailings:K,messages:P,notifications:z,overview:v,owed:E,"points-of-sale":W,reports:D,roles:A,rules:G,segments:N,sellers:F,settings:T,"single-sign-on":B,stores:I,transactions:M,transfers:V,"try-it":R,webhooks:j};export{u as administrators,i as audit,t as bought,r as"bulk-actions",s as campaigns,c as cashback,a as categories,l as clock,g as customers,L as default,d as events,h as imports,o as invitations,m as jobs,f as joining,S as journeys,p as keys,k as languages,b as levels,w as limits,K as mailings,P as messages,z as notifications,v as overview,E as owed,W as"points-of-sale",D as reports,A as roles,G as rules,N as segments,F as sellers,T as settings,B as"single-sign-on",I as stores,M as transactions,V as transfers,R as"try-it",j as webhooks};
