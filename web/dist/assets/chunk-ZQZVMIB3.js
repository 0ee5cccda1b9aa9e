var n={title:"Administrateurs",html:`<p>Qui peut travailler dans ce cockpit, et quels programmes peuvent utiliser l’API, pour toutes les enseignes. Appuyez sur <strong>Ajouter un administrateur</strong> pour en ajouter un.</p>
<ul>
<li>Une <strong>Personne</strong> se connecte avec une adresse e-mail et un mot de passe. Transmettez un lien ou envoyez une invitation : elle choisit elle-même le mot de passe. Le lien fonctionne une fois, pendant une semaine ; d’ici là, vous pouvez le renvoyer ou le retirer.</li>
<li>Une <strong>Intégration</strong> est un programme, comme votre boutique en ligne. Elle a une clé au lieu d’un mot de passe. La clé est affichée une seule fois : conservez-la en lieu sûr.</li>
<li>Le <a href="roles">rôle</a> dit ce que l’une et l’autre peuvent consulter et modifier. <strong>Dans certaines enseignes</strong>, chacune a son propre rôle, et il n’y a aucun droit ailleurs.</li>
</ul>
<h2>Questions</h2>
<p><strong>Quelqu’un quitte l’entreprise.</strong> Appuyez sur <strong>Retirer l’accès</strong> sur sa page. Vous voyez ce qui prend fin. Toutes ses sessions se terminent aussitôt, et ce qui a été fait reste dans l’<a href="audit">audit</a>.</p>
<p><strong>Quelqu’un a vu une clé.</strong> Cochez <strong>Créer une nouvelle clé</strong> et enregistrez. L’ancienne cesse aussitôt de fonctionner.</p>
<p><strong>Pourquoi ne puis-je pas donner un rôle à quelqu’un ?</strong> Personne ne peut donner un droit sans l’avoir.</p>
<p><strong>Peut-on désactiver le dernier administrateur ?</strong> Non. Il doit rester une personne active qui peut tout.</p>
<p><strong>Quelqu’un a perdu son téléphone.</strong> Un code de secours permet de se connecter. Sinon, appuyez sur <strong>Réinitialiser les seconds facteurs</strong> sur sa page : la personne se connecte par le mot de passe seul, puis en ajoute un nouveau. Assurez-vous d’abord que c’est bien elle qui le demande.</p>
`},s={title:"Audit",html:`<p>Qui a modifié quoi, quand et d’où, pour toutes les enseignes. Et aussi les connexions, et qui a consulté des clients.</p>
<ul>
<li>Cherchez par nom d’utilisateur, ou filtrez par événement, objet et jours. Cliquez sur une entrée pour voir les valeurs <strong>Avant</strong> et <strong>Après</strong>.</li>
<li><strong>Télécharger</strong> enregistre ce que vous avez trouvé.</li>
<li><strong>Archiver</strong> retire les anciennes entrées de la liste. Les archives se téléchargent au même endroit.</li>
</ul>
<h2>Questions</h2>
<p><strong>Quelqu’un peut-il modifier ou supprimer une entrée ?</strong> Pas dans ce cockpit. Le serveur retire les entrées très anciennes, d’ordinaire après cinq ans.</p>
<p><strong>Y a-t-il des mots de passe ?</strong> Non, ni d’autres secrets.</p>
<p><strong>Que reste-t-il d’un client anonymisé ?</strong> Qui, dans votre équipe, a fait quelque chose, et quand. Les données personnelles sont retirées des entrées.</p>
`},t={title:"Récompenses achetées",html:`<p>Chaque récompense qu’un client a achetée ou reçue, avec son code et l’indication si elle a été utilisée.</p>
<h2>Ce que vous pouvez faire</h2>
<ul>
<li>Trouver un bon : saisissez son code entier. Des filtres choisissent une récompense, un client, des jours, etc.</li>
<li>Marquer un bon avec l’interrupteur <strong>Utilisé</strong>, ou revenir en arrière si c’était une erreur.</li>
<li>Suivre un cadeau en route : choisissez <strong>Commandée</strong>, <strong>Expédiée</strong> ou <strong>Livrée</strong> une fois que le client a utilisé le bon.</li>
<li>Reprendre un achat : ouvrez le client et appuyez sur <strong>Annuler l’achat</strong> dans l’onglet <strong>Bons</strong>. Les points reviennent avec leur échéance d’origine ; ceux qui ont expiré depuis sont perdus. Si le bon est utilisé, appuyez d’abord sur <strong>Annuler l’utilisation</strong>.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi un bon ne peut-il pas être utilisé ?</strong> Sa ligne le dit : il a déjà été utilisé, n’est pas encore valable, a expiré ou a été annulé. Ou bien le client n’est pas actif.</p>
<p><strong>Pendant combien de temps peut-on reprendre un achat ?</strong> Aussi longtemps que le dit <strong>Achats annulables pendant</strong> dans les <a href="settings">paramètres</a> ; au début, 14 jours.</p>
<p><strong>Le code est-il revendu ensuite ?</strong> Non, car quelqu’un a pu le voir, à moins que vous ne l’activiez dans les paramètres.</p>
`},c={title:"Actions groupées",html:`<p>Ce qui a été fait pour beaucoup de clients à la fois, et où cela en est.</p>
<h2>Commencer</h2>
<ol>
<li>Ouvrez <a href="customers">tous les clients</a> et cochez-en quelques-uns, ou choisissez tous ceux qui répondent aux filtres.</li>
<li>Choisissez quoi faire : une étiquette, un segment, des points ou un message.</li>
<li>Appuyez sur <strong>Commencer</strong>. L’action se poursuit en arrière-plan, vous pouvez quitter la page.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>Chaque client est modifié une seule fois, même si le serveur redémarre entre-temps.</li>
<li><strong>Arrêter</strong> met fin à l’action. Ce qui est fait reste.</li>
<li><strong>Annuler l’action</strong> revient sur ce qui n’a pas changé depuis. La page liste le reste, par exemple les points dépensés.</li>
</ul>
`},r={title:"Campagnes",html:`<p>Une campagne est une récompense que les clients obtiennent contre des points, ou gratuitement : une remise, un bon d’achat, un cadeau, une livraison gratuite, une invitation, de l’argent.</p>
<h2>Créer une récompense</h2>
<ol>
<li>Appuyez sur <strong>Créer une récompense</strong> et choisissez à quoi elle sert. Le formulaire est déjà rempli, et vous pouvez le modifier.</li>
<li>Sous <strong>Quoi</strong>, donnez-lui un nom et décrivez-la dans chaque langue.</li>
<li>Sous <strong>Qui</strong>, choisissez tout le monde, certains <a href="levels">niveaux</a> ou certains <a href="segments">segments</a>. Vous voyez combien de clients cela touche.</li>
<li>Sous <strong>Quand</strong>, dites quand les clients peuvent l’acheter et quand ils la voient.</li>
<li>Sous <strong>Fréquence</strong>, fixez le prix en points et les limites.</li>
<li>Appuyez sur <strong>Enregistrer et activer</strong>. <strong>Enregistrer sans activer</strong> la garde pour plus tard.</li>
</ol>
<h2>Codes</h2>
<p>Punchcard génère des codes, ou vous apportez les vôtres. Chaque acheteur reçoit le suivant, ou tous reçoivent le même. Quand il en reste peu, la <a href="overview">vue d’ensemble</a> vous le dit.</p>
<h2>Limites</h2>
<ul>
<li><strong>Maximum au total</strong> n’est jamais dépassé, même si beaucoup de clients achètent au même instant.</li>
<li><strong>Maximum par client</strong> vaut une fois pour toutes, ou recommence chaque jour, mois ou année.</li>
</ul>
<h2>Questions</h2>
<p><strong>Que se passe-t-il si je modifie une récompense déjà achetée ?</strong> Ce que les clients ont reste tel quel : code, dates et points payés.</p>
<p><strong>Comment arrêter une récompense ?</strong> Désactivez-la. <strong>Archiver</strong> la retire aussi de la liste. Les bons achetés restent utilisables.</p>
<p><strong>Pourquoi personne ne la voit ?</strong> Vérifiez qu’elle est activée, que ses jours ont commencé, et qu’il y a pour elle des clients et des codes.</p>
`},i={title:"Cashback",html:`<p>Le cashback transforme des points en argent. Un prestataire de paiement, ou vous-même, le verse.</p>
<h2>Comment cela se passe</h2>
<ol>
<li>Créez une <a href="campaigns">campagne</a> du type <strong>Points en argent</strong>. Elle dit combien vaut un point.</li>
<li>Un client échange des points dans l’application, ou vous appuyez sur <strong>Échanger des points contre de l’argent</strong>. Vous voyez d’abord ce que valent les points.</li>
<li>Les points sont retirés aussitôt. Si un prestataire de paiement est connecté, il reçoit un message lui demandant de payer.</li>
</ol>
<p>Si le prestataire signale que le paiement a échoué, les points reviennent d’eux-mêmes.</p>
<h2>Ce que montre la liste</h2>
<p>Ces messages, et ce qu’il est advenu de chacun. <strong>En échec</strong> signifie que le prestataire ne l’a pas pris. Les points restent dépensés, car l’argent a pu être versé : interrogez le prestataire, et appuyez sur <strong>Renvoyer</strong> si ce n’est pas le cas.</p>
<h2>Questions</h2>
<p><strong>Puis-je limiter cela ?</strong> Oui, dans les <a href="settings">paramètres</a> sous <strong>Points contre argent</strong> : le minimum de points à la fois, et le maximum d’un client par jour.</p>
<p><strong>Et si je n’ai pas de prestataire ?</strong> Les échanges figurent parmi les <a href="bought">récompenses achetées</a>, et vous versez l’argent vous-même.</p>
`},o={title:"Catégories",html:`<p>Les catégories regroupent les récompenses pour vos clients : boissons, cadeaux, billets.</p>
<ul>
<li>Appuyez sur <strong>Créer une catégorie</strong> et donnez-lui un nom dans chaque langue de votre programme. S’il en manque un, les clients voient le nom dans la langue par défaut.</li>
<li><strong>Ordre</strong> décide de la place : les catégories au nombre le plus petit viennent d’abord.</li>
<li>Une récompense peut être dans plusieurs catégories. Vous les choisissez dans le formulaire de la <a href="campaigns">campagne</a>, sous <strong>Plus : message, catégories, marque, étiquettes</strong>.</li>
</ul>
<h2>Questions</h2>
<p><strong>Puis-je supprimer une catégorie ?</strong> Non, mais vous pouvez la désactiver sous <strong>Dans les menus</strong>. Les clients ne peuvent alors plus la choisir dans l’application. Ses récompenses restent en vente et gardent la catégorie.</p>
`},l={title:"Horloge du bac à sable",html:`<p>Une enseigne bac à sable a une horloge que vous pouvez avancer, pour voir ce que fait votre programme dans une semaine ou un mois.</p>
<ol>
<li>Appuyez sur <strong>1 jour</strong>, <strong>1 semaine</strong> ou <strong>30 jours</strong>. Ou choisissez un moment et appuyez sur <strong>Avancer jusque-là</strong>.</li>
<li>Ce qui arrive à échéance se produit aussitôt : des points deviennent disponibles ou expirent, des bons expirent, niveaux et segments changent, les clients sont notifiés.</li>
<li><strong>Ce qui est arrivé à échéance</strong> l’énumère.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>L’horloge ne recule jamais.</li>
<li>Avancer se fait en une fois : ce qui se produit chaque jour se produit une seule fois, à l’arrivée.</li>
<li>Les autres enseignes ne sont pas touchées.</li>
<li>Pour de vrais clients, utilisez une enseigne sans bac à sable. Vous créez les deux sous <a href="stores">enseignes</a>.</li>
</ul>
`},a={title:"Tous les clients",html:`<p>Toutes les personnes de votre programme.</p>
<h2>Trouver quelqu’un</h2>
<p>Saisissez un nom, une adresse e-mail, un téléphone ou un numéro de carte. Ou filtrez la liste par niveau, segment, statut et jour d’inscription. <strong>Télécharger</strong> enregistre ce que vous avez trouvé.</p>
<p><strong>Enregistrer comme vue</strong> garde les filtres et l’ordre de la liste sous un nom, pour vous ou pour tous ceux qui voient les clients. <strong>Vues enregistrées</strong> les rappelle.</p>
<h2>Le profil</h2>
<ul>
<li><strong>Chronologie</strong> raconte ce qui s’est passé. Les autres onglets contiennent les bons, les points, les achats, les messages et les notes.</li>
<li><strong>Ajouter des points</strong> et <strong>Acheter une récompense</strong> sont en haut. Le menu à côté contient le reste, comme dépenser des points, le niveau et le blocage.</li>
</ul>
<h2>Ajouter un client</h2>
<p>Appuyez sur <strong>Ajouter un client</strong>. Il faut le prénom et le nom, un contact et l’accord avec les conditions. Ne cochez <strong>Souhaite recevoir actualités et offres</strong> que pour ceux qui l’ont dit.</p>
<h2>Questions</h2>
<p><strong>Un client ne peut pas se connecter.</strong> Un avis dans le profil dit ce qui manque. <strong>Renvoyer</strong> répète le message ; <strong>Activer</strong> s’en passe.</p>
<p><strong>Bloquer ou anonymiser ?</strong> Après <strong>Bloquer</strong>, un client garde tout et ne peut rien faire tant que vous n’appuyez pas sur <strong>Activer</strong>. <strong>Anonymiser</strong> efface pour toujours qui est la personne, et garde les chiffres.</p>
<p><strong>Un client demande ses données.</strong> Ouvrez <strong>Fiche</strong>, puis <strong>Données et vie privée</strong>. Sous <strong>Une copie de toutes les données</strong>, vous obtenez un fichier.</p>
<p><strong>Un client a deux comptes.</strong> Dans le profil du compte qui reste, utilisez <strong>Fusionner avec un autre client</strong>.</p>
`},p={title:"Événements",html:`<p>Tout ce qui s’est passé dans l’enseigne, du plus récent au plus ancien. Les nouveaux événements apparaissent sous vos yeux.</p>
<ul>
<li>Filtrez par type, client et jours.</li>
<li><strong>Mettre en pause</strong> retient la liste, pour que vous puissiez lire tranquillement. <strong>Reprendre</strong> la relance.</li>
<li>Cliquez sur un événement pour voir ce qu’il contient.</li>
<li>Les noms et les contacts ne sont montrés qu’à ceux qui peuvent consulter les clients.</li>
</ul>
<h2>Questions</h2>
<p><strong>À quoi servent les événements ?</strong> À savoir ce qui s’est passé, par exemple chez un client. Et aux autres systèmes : les développeurs lisent les événements par l’API, ou les reçoivent par des <a href="webhooks">webhooks</a>.</p>
<p><strong>Peut-on supprimer des événements ?</strong> Non. Si un client est anonymisé, les données personnelles en sont effacées.</p>
`},g={title:"Imports",html:`<p>Reprenez ce que vous avez : clients, points, tickets. Prenez le fichier que votre programme actuel exporte ; inutile de le réorganiser.</p>
<h2>Comment cela se passe</h2>
<ol>
<li>Appuyez sur <strong>Importer un fichier</strong>. Choisissez ce que contient le fichier, et le fichier.</li>
<li>Punchcard devine comment sont écrits les dates et les nombres, et ce que contient chaque colonne. Corrigez ce qui est faux. Vos choix sont gardés pour le prochain fichier avec ces colonnes.</li>
<li>Regardez les premiers enregistrements tels qu’ils seront conservés. <strong>Vérifier le fichier</strong> les essaie tous et n’enregistre rien.</li>
<li>Appuyez sur <strong>Importer maintenant</strong>. Vous pouvez quitter la page.</li>
</ol>
<h2>Les clients qui existent déjà</h2>
<p>Choisissez <strong>Les refuser</strong> ou <strong>Les mettre à jour</strong>. Les cellules vides conservent l’existant. Les consentements, le niveau et le fait d’être actif ne changent que si vous les cochez sous <strong>Remplacer aussi</strong>.</p>
<h2>Questions</h2>
<p><strong>Des enregistrements ont été refusés.</strong> La page les énumère avec la raison. Corrigez-les et importez-les dans un fichier à part, car les points importés à nouveau sont donnés à nouveau.</p>
<p><strong>Ce n’était pas le bon fichier.</strong> <strong>Annuler l’import</strong> reprend les clients ou les points. Ce qui a changé depuis reste, et est énuméré. Les tickets se reprennent par des retours.</p>
<p><strong>Les clients reçoivent-ils des messages ?</strong> Seulement si vous cochez <strong>Leur souhaiter la bienvenue</strong> ou <strong>Prévenir les clients</strong>, ou si une colonne du fichier le demande.</p>
`},d={title:"Invitations",html:`<p>Les clients invitent des amis, et les deux peuvent y gagner.</p>
<ul>
<li>Un client invite quelqu’un par e-mail ou par téléphone, ou partage un lien personnel depuis l’application. Qui s’inscrit par ce lien compte comme invité.</li>
<li>Une <a href="rules">règle de gain</a> du type <strong>Points pour le parrainage</strong> dit qui reçoit des points, et pour quoi : l’inscription, le premier achat ou chaque achat.</li>
<li>Cette page montre qui a invité qui, où cela en est (<strong>Invité</strong>, <strong>Inscrit</strong>, <strong>A acheté</strong>) et les points que chaque côté a reçus.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi personne n’a reçu de points ?</strong> Peut-être qu’il n’y a pas de règle, ou qu’elle vise d’autres niveaux ou segments : elle doit convenir à l’ami. Un client qui n’est pas actif ne reçoit rien.</p>
<p><strong>Peut-on inviter quelqu’un deux fois ?</strong> Non. Ni quelqu’un qui est déjà client.</p>
`},m={title:"Tâches",html:`<p>Ce que le serveur fait de lui-même : des points expirent, des segments sont calculés, des notifications push sont envoyées.</p>
<ul>
<li>Chaque ligne montre à quelle fréquence une tâche s’exécute, comment s’est passée la dernière exécution et quand vient la suivante.</li>
<li>Le bouton avec une flèche, à la fin d’une ligne, lance une tâche aussitôt. Vous en avez rarement besoin.</li>
<li>Une tâche qui a échoué est réessayée d’elle-même, et la <a href="overview">vue d’ensemble</a> vous le dit.</li>
</ul>
<h2>Questions</h2>
<p><strong>Une tâche a échoué. Que puis-je faire ?</strong> La ligne dit pourquoi en quelques mots, par exemple un disque plein. Si elle échoue encore, montrez les <strong>Détails techniques</strong> à la personne qui gère le serveur.</p>
<p><strong>Est-ce grave si une tâche a un peu de retard ?</strong> À peine. Les points et les bons expirés ne peuvent pas être utilisés, que la tâche soit passée ou non.</p>
`},v={title:"Page d’inscription",html:`<p>Comment les clients découvrent votre programme et s’y inscrivent.</p>
<ul>
<li>La page à cette <strong>Adresse</strong> montre aux visiteurs comment gagner des points, ce qu’ils peuvent obtenir et les niveaux. C’est là qu’ils s’inscrivent.</li>
<li>L’<strong>Affiche</strong> porte l’adresse en code QR. Utilisez <strong>Imprimer</strong> pour votre comptoir ou votre vitrine.</li>
<li><strong>Sur votre site web</strong> contient quelques lignes pour votre propre site. Elles y montrent la même page.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi mon site ne l’affiche-t-il pas ?</strong> Saisissez l’adresse du site dans les <a href="settings">paramètres</a> sous <strong>Liens et conditions</strong>, dans <strong>Sites autorisés à afficher la page d’inscription</strong>. Tant que cette liste est vide, aucun site n’y est autorisé.</p>
<p><strong>Pourquoi une récompense manque-t-elle ?</strong> Les visiteurs voient les récompenses marquées <strong>Publique</strong>. Cochez cela dans le formulaire de la <a href="campaigns">campagne</a>.</p>
<p><strong>Les nouveaux clients doivent-ils activer leur compte ?</strong> Vous en décidez dans les paramètres, sous <strong>Droits des clients</strong>. Cela écarte les adresses mal saisies ou qui sont à quelqu’un d’autre.</p>
<p><strong>Mes vendeurs peuvent-ils ajouter des clients ?</strong> Oui, à la caisse.</p>
`},h={title:"Parcours",html:`<p>Des messages que les clients reçoivent d’eux-mêmes à une occasion, avec ou sans cadeau.</p>
<h2>Commencer</h2>
<ol>
<li>Choisissez une occasion, par exemple l’anniversaire, et appuyez sur <strong>Nouveau</strong>.</li>
<li>Indiquez quand le message est envoyé, à qui, et ce qu’il dit dans chaque langue.</li>
<li>Ajoutez un cadeau si vous le souhaitez : des points ou une récompense.</li>
<li>Appuyez sur <strong>Activer</strong>. La page indique combien de clients cela touche aujourd’hui.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>Un client reçoit une seule fois le message et le cadeau d’une occasion.</li>
<li>Les occasions passées ne sont pas rattrapées.</li>
<li>Sans message, pas de cadeau, par exemple sans consentement.</li>
<li>Les <a href="settings">paramètres</a> fixent le nombre maximal de messages marketing par client.</li>
</ul>
`},q={title:"Clés pour programmes",html:`<p>Un programme, par exemple une boutique en ligne ou une caisse d’un autre fournisseur, appelle Punchcard avec une clé. Créez-en une par programme.</p>
<ol>
<li>Appuyez sur <strong>Nouvelle clé</strong>, nommez le programme et cochez ce qu’il peut voir et modifier.</li>
<li>Créez la clé et copiez son secret. Il n’est affiché qu’une fois.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>Une clé ne peut jamais plus que vous : quand votre rôle perd des droits, elle les perd aussi, et quand votre compte est désactivé, elle s’arrête.</li>
<li><strong>Nouveau secret</strong> remplace le secret. L’ancien reste valable quelques heures, pour changer le programme sans interruption.</li>
<li><strong>Révoquer</strong> arrête la clé aussitôt.</li>
<li>Aucune clé ne peut créer de clés, ni modifier des rôles, des administrateurs ou des mots de passe.</li>
</ul>
<h2>Questions</h2>
<p><strong>Un secret est tombé en de mauvaises mains. Que faire ?</strong> Créez un <strong>Nouveau secret</strong> avec 0 heure, ou choisissez <strong>Révoquer</strong>. Le <a href="audit">journal</a> montre ce que la clé a fait.</p>
`},f={title:"Langues",html:`<p>Les langues dans lesquelles les récompenses, les niveaux et les catégories ont des textes, pour toutes les enseignes.</p>
<ul>
<li>Appuyez sur <strong>Ajouter une langue</strong>, et les formulaires ont une place pour ses textes.</li>
<li>La <strong>Langue par défaut</strong> est affichée quand un texte manque dans la langue du client.</li>
<li>Les messages existent en anglais, polonais, allemand, français et espagnol. Pour d’autres langues, écrivez les vôtres sous <a href="messages">messages</a>.</li>
</ul>
<h2>Questions</h2>
<p><strong>Dans quelle langue les clients reçoivent-ils les messages ?</strong> Dans celle qu’ils choisissent dans l’application, ou que vous choisissez dans leur profil.</p>
<p><strong>Et si je retire une langue ?</strong> Tous ses textes sont perdus, dans chaque enseigne.</p>
<p><strong>Comment changer la langue de ce cockpit ?</strong> Dans le menu de votre compte, en haut. Chaque administrateur choisit la sienne.</p>
`},z={title:"Niveaux",html:`<p>Les niveaux récompensent vos meilleurs clients : bronze, argent, or. Un niveau peut apporter une remise, ainsi que des récompenses et des règles de gain à lui.</p>
<h2>Créer un niveau</h2>
<ol>
<li>Appuyez sur <strong>Ajouter un niveau</strong>. Donnez-lui un nom et une description, que les clients voient dans l’application.</li>
<li>Dites à partir de quelle valeur les clients l’atteignent. Ce sont les achats ou les points qui comptent, selon les <a href="settings">paramètres</a>. Tout le monde commence dans un niveau à 0.</li>
<li>Ajoutez une remise s’il en a une. L’application et la caisse l’affichent ; votre magasin l’accorde.</li>
</ol>
<h2>Questions</h2>
<p><strong>Quand les clients montent-ils ?</strong> Aussitôt, avec le ticket ou les points qui atteignent la valeur.</p>
<p><strong>Quand descendent-ils ?</strong> Si les achats comptent : quand un retour les fait passer sous la valeur. Si les points comptent, <strong>Passage à un niveau inférieur</strong> dans les paramètres en décide : jamais, dès qu’ils en ont trop peu, ou après un nombre de jours.</p>
<p><strong>Puis-je donner un niveau à quelqu’un ?</strong> Oui, avec <strong>Définir le niveau à la main</strong> dans le profil du client. Il reste jusqu’à ce que le client en atteigne un plus haut, ou que vous choisissiez <strong>Laisser le niveau suivre les achats</strong>.</p>
<p><strong>Puis-je supprimer un niveau ?</strong> Oui. Ses clients passent au niveau que leurs propres chiffres atteignent. Il doit rester un niveau pour commencer.</p>
`},b={title:"Limites",html:`<p>Les tailles et les nombres maximaux que ce serveur accepte, et combien de fois on peut faire quelque chose. Elles évitent qu’une erreur n’arrête le programme pour tout le monde.</p>
<ul>
<li>Chaque ligne a le nom d’une limite et sa <strong>Valeur</strong>. Saisissez un mot pour en trouver une.</li>
<li>Les messages d’erreur et la documentation utilisent les mêmes noms.</li>
<li>S’il y a quelque chose sous <strong>Définie par</strong>, la personne qui gère le serveur peut changer la limite.</li>
</ul>
<h2>Questions</h2>
<p><strong>Ai-je besoin de cette page ?</strong> Rarement : quand un message d’erreur ou un développeur nomme une limite.</p>
<p><strong>Puis-je changer une limite ici ?</strong> Non. Demandez à la personne qui gère le serveur.</p>
`},x={title:"Mailings",html:`<p>Écrivez à de nombreux clients à la fois, par e-mail, SMS, push ou dans la boîte de réception de l’application.</p>
<h2>En envoyer un</h2>
<ol>
<li>Appuyez sur <strong>Rédiger un mailing</strong>. Choisissez les canaux et <strong>Qui le reçoit</strong>. Vous voyez combien acceptent le marketing, et combien chaque canal en atteint.</li>
<li>Écrivez le texte dans chaque langue. Un champ tel que {{ first_name }} devient le prénom du client. Pour les e-mails, choisissez <strong>Texte simple</strong> ou <strong>Blocs</strong> : titres, boutons, images et récompenses aux couleurs de votre magasin. Faites glisser un bloc par son nom, ou utilisez ses flèches.</li>
<li>Regardez-le sous <strong>Tel qu’un client le reçoit</strong>. Si c’est un e-mail, <strong>Envoyer le test</strong> vous l’envoie.</li>
<li>Appuyez sur <strong>Enregistrer</strong>, puis sur <strong>Envoyer maintenant</strong>. Si vous avez choisi une heure dans <strong>Envoyer le</strong>, le bouton s’appelle <strong>Planifier</strong>.</li>
</ol>
<p>Pendant l’envoi, vous pouvez le <strong>Mettre en pause</strong> ou l’<strong>Arrêter</strong>.</p>
<h2>Bon à savoir</h2>
<ul>
<li>E-mail, SMS et push n’atteignent que les clients qui acceptent le marketing. La boîte de réception atteint tous ceux que vous avez choisis.</li>
<li>Avec un lien dans chaque e-mail et chaque SMS, les clients peuvent se désabonner de ces messages.</li>
<li>Personne ne reçoit deux fois le même mailing.</li>
<li>Pendant les heures de silence de vos <a href="settings">paramètres</a>, seule la boîte de réception le reçoit. Le reste attend.</li>
<li>Les résultats comptent ce qui a été envoyé et ce qui a échoué sur chaque canal, et qui a suivi votre lien.</li>
<li>Les boutons, images et récompenses d’un e-mail comptent comme suivis, de même que votre lien.</li>
</ul>
`},j={title:"Messages",html:`<p>Ce que Punchcard écrit de lui-même : activation, nouveau mot de passe, points qui expirent, anniversaire, etc.</p>
<ul>
<li><strong>Textes</strong> : chaque message a un texte tout prêt. Ouvrez-le pour le modifier, le regarder, le désactiver avec <strong>Envoyé</strong>, ou pour <strong>Envoyer le texte enregistré en test</strong>. Certains sont désactivés au début, comme les vœux d’anniversaire.</li>
<li><strong>Messages envoyés</strong> : ce qui est parti et à qui, ce qui attend, ce qui a échoué et pourquoi. Pour ceux qui ont échoué, il y a <strong>Renvoyer</strong>.</li>
<li><strong>Envoi</strong> : si des messages peuvent partir, votre serveur de messagerie, et les services de SMS et de push. <strong>Envoyer un test</strong> l’essaie. Les SMS passent par une passerelle à vous ou par <strong>Twilio</strong> : saisissez le compte, l’expéditeur et le jeton. Les messages push peuvent aller aux navigateurs des clients sans aucun service : activez <strong>Envoyer aux navigateurs</strong>, et les clients les activent dans leur compte.</li>
</ul>
<h2>Questions</h2>
<p><strong>Me faut-il un serveur de messagerie ?</strong> On peut gagner des points et utiliser des bons sans lui. Mais les clients ne peuvent alors ni activer leur compte ni choisir un nouveau mot de passe eux-mêmes.</p>
<p><strong>Pourquoi ne puis-je pas modifier quelque chose ici ?</strong> Les textes avec des liens ou des codes, et le chemin que prennent les messages, pourraient ouvrir n’importe quel compte. Il y faut la permission <strong>Destination des messages avec mots de passe et liens</strong>, et votre mot de passe.</p>
`},L={title:"Notifications",html:`<p>De courts messages qui parviennent d’eux-mêmes aux clients dans la boîte de réception de l’application : une nouvelle récompense, et des bons, des points ou des niveaux qui prennent bientôt fin.</p>
<ul>
<li>Chaque récompense a son propre texte : <strong>Message aux clients</strong> dans le formulaire de la <a href="campaigns">campagne</a>. Si vous le laissez vide, les clients lisent son nom.</li>
<li>Tous ceux que vise la récompense le reçoivent une fois, y compris ceux qui arrivent plus tard dans son niveau ou son segment.</li>
<li><strong>Récompenses annoncées</strong> montre où cela en est.</li>
<li>Combien de jours avant une échéance les clients sont prévenus, c’est dans les <a href="settings">paramètres</a>, sous <strong>Messages</strong>.</li>
<li><strong>Passerelle</strong> transmet les notifications à un de vos services, qui en fait des messages push ou des SMS. Il vous faut pour cela un développeur.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi un nouveau client n’a-t-il pas reçu de message sur une récompense ?</strong> Elle était déjà proposée. Les nouveaux clients la voient dans l’application.</p>
<p><strong>Comment envoyer d’autres nouvelles ?</strong> Rédigez un <a href="mailings">mailing</a>.</p>
`},C={title:"Vue d’ensemble",html:`<p>La première page de chaque journée : ce que le programme a apporté, et ce qui vous attend.</p>
<h2>Ce que vous voyez</h2>
<ul>
<li>Les chiffres portent sur les jours choisis en haut, et sont comparés aux jours d’avant ou à l’année précédente. Les trois grands mènent à ce qu’il y a derrière.</li>
<li><strong>À surveiller</strong> énumère les récompenses qui s’épuisent, les points qui expirent bientôt, les messages en échec et autres. Une ligne mène là où vous pouvez agir.</li>
<li><strong>Meilleures récompenses</strong> : celles que les clients ont le plus achetées ces jours-là.</li>
<li><strong>Derniers événements</strong> montre ce que font vos clients en ce moment.</li>
</ul>
<h2>Les premiers pas</h2>
<p>Dans une nouvelle enseigne, <strong>Premiers pas</strong> se trouve au-dessus des chiffres jusqu’à ce qu’un client puisse gagner des points, acheter une récompense et l’utiliser. Chaque étape se fait sur place. Utilisez <strong>Ignorer</strong> pour celle dont vous n’avez pas besoin maintenant : vous pourrez la faire plus tard sur sa propre page.</p>
<h2>Questions</h2>
<p><strong>Pourquoi le chiffre d’hier est-il différent aujourd’hui ?</strong> Un retour, un achat annulé ou un client supprimé modifie le jour de la vente, de l’achat ou de l’inscription concernés. Ainsi, chaque jour correspond à la situation actuelle.</p>
<p><strong>Quand commence un jour ?</strong> À minuit selon le <strong>Fuseau horaire</strong> de votre enseigne, que vous choisissez dans les <a href="settings">paramètres</a>.</p>
`},y={title:"Points dus",html:`<p>Les points que détiennent les clients sont une promesse. Cette page montre ce qu’elle représente : pour vos comptes, et pour voir ce qui vient.</p>
<h2>Ce que vous voyez</h2>
<ul>
<li><strong>Points détenus par les clients</strong> : tous les points qui peuvent être dépensés, et ceux qui sont en attente ou bloqués.</li>
<li><strong>Expirent en premier</strong> : ceux du prochain mois où des points expirent.</li>
<li><strong>Expirés au lieu d’être dépensés</strong> est une part : parmi tous les points qui pouvaient expirer ce mois-ci et les onze mois d’avant, combien l’ont fait.</li>
<li><strong>Par mois d’expiration</strong> et <strong>Par niveau</strong> répartissent la somme.</li>
</ul>
<h2>En argent</h2>
<p>Saisissez le <strong>Coût d’un point</strong> dans les <a href="settings">paramètres</a>, et chaque somme a une valeur. Si vous changez le coût plus tard, les jours passés gardent le leur.</p>
<h2>Pour votre comptable</h2>
<p><strong>Télécharger</strong> enregistre un journal des douze derniers mois : points attribués, dépensés, expirés et réévalués, en écritures doubles pour chaque jour. Avec un coût du point, il correspond au solde au centime près.</p>
<p>Les bons achetés et pas encore utilisés sont dans les <a href="reports">rapports</a>, sous <strong>Récompenses</strong>.</p>
`},A={title:"Points de vente",html:`<p>Vos magasins, boutiques en ligne et caisses. Les tickets et les <a href="sellers">vendeurs</a> appartiennent à l’un d’eux, si bien que chacun a ses chiffres.</p>
<ul>
<li>Appuyez sur <strong>Ajouter un point de vente</strong>. Un nom suffit.</li>
<li>L’<strong>Identifiant</strong> est le numéro de la caisse ou du magasin dans vos autres systèmes. Si vous le laissez vide, c’est le nom.</li>
<li><strong>Ventes</strong> et <strong>Chiffre d’affaires</strong> montrent combien de tickets chacun a jusqu’ici, et leur valeur, retours déduits.</li>
</ul>
<h2>Questions</h2>
<p><strong>Quelque chose peut-il valoir pour un seul magasin ?</strong> Les <a href="rules">règles de gain</a> le peuvent. Pour une récompense, créez un <a href="segments">segment</a> avec <strong>A acheté dans un point de vente</strong>.</p>
<p><strong>Puis-je supprimer un point de vente ?</strong> Non, car des tickets s’y rapportent.</p>
<p><strong>Qu’est-ce qu’une caisse enregistrée ?</strong> Un appareil sur lequel les <a href="sellers">vendeurs</a> se relaient avec un code PIN au lieu d’un mot de passe. Un vendeur l’enregistre dans le menu du compte de la caisse. Révoquez-la ici si elle est perdue ou change de lieu.</p>
`},P={title:"Rapports",html:`<p>Les chiffres des jours que vous choisissez, comparés à la période précédente, à l’année d’avant ou à vos propres dates.</p>
<h2>Comment les lire</h2>
<ul>
<li>Choisissez la période en haut. Toute la page suit.</li>
<li>Sous <strong>Chiffres</strong>, chaque ligne dit comment elle est comptée. <strong>Afficher les lignes</strong> mène à ce qu’il y a derrière.</li>
<li><strong>Par point de vente</strong> et <strong>Par niveau</strong> répartissent les ventes.</li>
<li>Au-dessous, <strong>Bons par récompense</strong> dit pour chaque récompense combien de bons ont été achetés et utilisés, ce qu’ils ont coûté et ce qui a été vendu avec eux.</li>
<li><strong>Télécharger</strong> enregistre un tableau pour un tableur ou en CSV.</li>
</ul>
<h2>Récompenses et clients</h2>
<p>Certaines questions demandent de lire chaque bon ou chaque ticket : ce que chaque récompense a coûté et rapporté, combien de clients rachètent, et combien restent parmi ceux qui se sont inscrits un mois donné. Ouvrez <strong>Récompenses</strong> ou <strong>Clients</strong> et appuyez sur <strong>Calculer le rapport</strong>. Vous pouvez quitter la page ; le rapport est là quand vous revenez à la même période.</p>
<h2>Questions</h2>
<p><strong>Pour quel niveau une vente compte-t-elle ?</strong> Pour celui qu’avait le client quand le ticket est arrivé.</p>
<p><strong>Et pour quels segments ?</strong> Pour ceux où se trouve le client quand le rapport est calculé. La période peut avoir 92 jours au plus.</p>
<p><strong>Qu’est-ce que le taux d’utilisation ?</strong> Les points dépensés ces jours-là, divisés par les points attribués ces jours-là. Les points dépensés peuvent être plus anciens.</p>
<p>Ce que vous devez en points est sur une page à part : <a href="owed">Points dus</a>.</p>
`},Q={title:"Rôles",html:`<p>Un rôle dit ce qu’un administrateur peut consulter et modifier. Donnez à chaque personne le plus petit rôle qui suffit à son travail.</p>
<ul>
<li><strong>Consulter</strong> permet de regarder un domaine, <strong>Modifier</strong> permet aussi de le changer.</li>
<li>Le <strong>Rôle par défaut</strong> est présélectionné pour les nouveaux administrateurs.</li>
<li>Les modifications s’appliquent en quelques secondes, aussi pour ceux qui sont connectés.</li>
<li>Un rôle permet tout. Seul son nom est modifiable.</li>
<li><strong>Destination des messages avec mots de passe et liens</strong> est pour peu de gens : qui peut la modifier pourrait ouvrir n’importe quel compte.</li>
<li><strong>Second facteur</strong> : exigez de tous ceux qui ont le rôle une clé d’accès ou une application d’authentification, et laissez-leur quelques jours pour l’ajouter. Après, qui n’en a pas peut seulement en ajouter un.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi ne puis-je pas supprimer un rôle ?</strong> Quelqu’un l’a : donnez-lui d’abord un autre rôle. Ou bien c’est le rôle par défaut, ou celui qui permet tout.</p>
<p><strong>Pourquoi ne puis-je pas modifier un rôle ?</strong> Il permet peut-être plus que le vôtre.</p>
`},S={title:"Règles de gain",html:`<p>Les règles de gain décident pour quoi les clients reçoivent des points : l’argent dépensé, certains produits, un premier achat, un anniversaire, une invitation, une visite.</p>
<h2>Créer une règle</h2>
<ol>
<li>Appuyez sur <strong>Ajouter une règle de gain</strong> et choisissez un type. <strong>Points pour l’argent dépensé</strong> est le début habituel, par exemple 1 point par euro.</li>
<li>Dites combien de points, pour qui et quand. <strong>Sans date</strong> veut dire toujours.</li>
<li>Enregistrez-la avec <strong>Activée</strong> coché. Elle compte à partir de là.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>Les règles s’additionnent. <strong>Multiplier les points de produits</strong> multiplie ce que la règle pour l’argent dépensé donne pour ces produits.</li>
<li>Une règle peut viser certains niveaux ou segments, et certains magasins.</li>
<li>Pour les codes, les lieux et vos propres événements, vous pouvez limiter combien de fois un client reçoit les points.</li>
<li>Modifier une règle ne change rien à ce qui a été gagné avant.</li>
<li>Ce qui ne rapporte rien est dit dans la règle pour l’argent dépensé : <strong>La livraison ne compte pas</strong>, <strong>Produits qui ne comptent pas</strong>.</li>
<li>L’arrondi des points et leur expiration sont dans les <a href="settings">paramètres</a>.</li>
</ul>
<h2>Questions</h2>
<p><strong>Comment essayer mes règles ?</strong> Commencez à enregistrer un <a href="transactions">ticket</a> : choisissez un client et saisissez une valeur, et la page affiche les points. Quittez-la sans enregistrer, et rien n’est conservé.</p>
`},U={title:"Segments",html:`<p>Un segment est un groupe de clients qui ont un point commun : ils n’ont pas acheté depuis 60 jours, leur anniversaire approche, ils achètent du café. Utilisez les segments pour les <a href="campaigns">campagnes</a>, les <a href="rules">règles de gain</a> et les <a href="mailings">mailings</a>.</p>
<h2>Créer un segment</h2>
<ol>
<li>Appuyez sur <strong>Ajouter un segment</strong>, donnez-lui un nom et choisissez un <strong>Critère</strong>, par exemple <strong>N’a pas acheté depuis un moment</strong>.</li>
<li>Ajoutez-en d’autres si vous le souhaitez. Dans un groupe, un critère suffit ; chaque groupe doit être rempli. Un paramètre inverse cette règle.</li>
<li>À la fin du formulaire, vous voyez avant d’enregistrer combien de clients cela donne, et quelques-uns d’entre eux.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>Les clients entrent et sortent d’eux-mêmes : aussitôt que quelque chose change chez eux, et à minuit quand des jours comptent.</li>
<li>Un client qui entre dans un segment voit aussitôt ses récompenses.</li>
<li>Seuls les clients actifs en sont membres.</li>
<li>Tant que <strong>Tenir les membres à jour</strong> est désactivé, récompenses et règles considèrent le segment comme vide.</li>
<li>Si vous supprimez un segment, ses clients restent clients.</li>
</ul>
`},k={title:"Vendeurs",html:`<p>Qui sert vos clients à la caisse.</p>
<h2>Ajouter un vendeur</h2>
<ol>
<li>Appuyez sur <strong>Ajouter un vendeur</strong>. Il vous faut d’abord un <a href="points-of-sale">point de vente</a>.</li>
<li>Saisissez le nom, l’adresse e-mail pour se connecter, et un mot de passe que vous dites au vendeur.</li>
<li>Sous <strong>Autorisations</strong>, décidez ce qui est permis en plus d’ajouter des clients et de vendre des récompenses : enregistrer des tickets, utiliser et consulter des bons, annuler des achats, ajouter et dépenser des points.</li>
</ol>
<p>La caisse fonctionne dans un navigateur, sur une tablette ou un téléphone. Sans réseau, elle garde ce qui a été saisi et l’envoie plus tard.</p>
<h2>Questions</h2>
<p><strong>Où est la caisse ?</strong> Déconnectez-vous de ce cockpit : sous la connexion, il y a <strong>Pour la caisse</strong>.</p>
<p><strong>Un vendeur s’en va.</strong> Désactivez <strong>Peut se connecter</strong>. Le vendeur est déconnecté aussitôt, et ce qu’il a fait reste.</p>
<p><strong>Un mot de passe a été oublié.</strong> Saisissez ici un <strong>Nouveau mot de passe</strong>. Avec un serveur de messagerie, les vendeurs peuvent aussi en choisir un eux-mêmes à la caisse.</p>
<p><strong>Un vendeur a perdu son téléphone.</strong> Appuyez ici sur <strong>Réinitialiser les seconds facteurs</strong> : le vendeur se connecte par le mot de passe seul, puis en ajoute un nouveau. Les <a href="settings">paramètres</a> décident si les vendeurs en ont besoin.</p>
`},E={title:"Paramètres",html:`<p>Ce que votre enseigne décide pour elle-même. Chaque champ dit ce qu’il fait, et les modifications s’appliquent dès que vous enregistrez.</p>
<h2>Les plus importants</h2>
<ul>
<li><strong>Fuseau horaire</strong> : où commencent et finissent les jours.</li>
<li><strong>Devise</strong> : vous la changez sous <a href="stores">enseignes</a>, jusqu’au premier ticket.</li>
<li><strong>Expiration des points</strong> : après quelques jours, à la fin du mois ou de l’année, ou jamais. Les points que les clients ont gardent leur date.</li>
<li><strong>Les clients atteignent les niveaux par</strong> : ventes ou points.</li>
<li><strong>Produits qui ne comptent pas</strong> : pour les niveaux seulement. Pour les points, chaque <a href="rules">règle de gain</a> a sa propre liste.</li>
<li><strong>Comment les tickets trouvent leur client</strong> : par e-mail, carte ou téléphone, et dans quel ordre.</li>
<li><strong>Pas de messages marketing de</strong> : les heures de silence.</li>
<li><strong>Apparence de l’application des clients</strong> : couleur, logo et grande image.</li>
<li><strong>Vendeurs</strong> : s’ils ont besoin d’un second facteur à la caisse. Ceci s’enregistre à part.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi ne puis-je pas modifier un champ ?</strong> Votre rôle ne peut que consulter les paramètres. Ou bien le champ décide où mènent les liens des messages : il vous faut alors la permission <strong>Destination des messages avec mots de passe et liens</strong>, et votre mot de passe.</p>
`},R={title:"Authentification unique",html:`<p>Les administrateurs se connectent avec les comptes de votre organisation, par un fournisseur comme Keycloak, Entra ID ou Google Workspace. Appuyez sur <strong>Ajouter un fournisseur</strong> et reprenez son émetteur, l’identifiant et le secret du client. Indiquez ensuite au fournisseur l’URI de redirection que cette page affiche.</p>
<ul>
<li>Les <strong>rôles par groupe</strong> déterminent ce que chacun peut faire. Ils sont relus à chaque connexion, et le premier groupe de la liste compte.</li>
<li><strong>Tester</strong> demande si le fournisseur répond. <strong>Essayer des groupes</strong> montre quel <a href="roles">rôle</a> des groupes donnent.</li>
<li>Qui a déjà un compte ici s’y connecte et le lie dans le menu de l’utilisateur, sous <strong>Comptes liés</strong>.</li>
<li>L’onglet de l’<strong>enseigne</strong> contient les fournisseurs de cette seule enseigne. Ils donnent des rôles dans cette enseigne, et <strong>Vendeurs par groupe</strong> permet aux vendeurs de se connecter à la caisse. Les vendeurs qui ont un compte le lient dans le menu de la caisse.</li>
</ul>
<h2>Questions</h2>
<p><strong>Quelqu’un quitte l’entreprise.</strong> Retirez les groupes chez le fournisseur. Avec la déconnexion back-channel, les sessions prennent fin aussitôt ; sinon, désactivez aussi le <a href="administrators">compte</a>.</p>
<p><strong>Pourquoi une nouvelle personne est-elle refusée ?</strong> Aucun de ses groupes n’est dans la liste, ou il existe un compte avec son adresse e-mail, qu’elle doit lier.</p>
<p><strong>Plus personne ne peut se connecter.</strong> Exécutez <code>punchcard admin allow-passwords</code> sur le serveur, et connectez-vous avec un mot de passe.</p>
`},D={title:"Enseignes",html:`<p>Chaque enseigne est un programme à part, avec ses propres clients, récompenses, points et paramètres. Les enseignes partagent administrateurs, rôles et langues.</p>
<ul>
<li><strong>Créer une enseigne</strong> en fait une nouvelle, avec les paramètres de l’enseigne par défaut. Les clients peuvent s’inscrire dès qu’elle a un niveau.</li>
<li>Le <strong>Code</strong> fait partie des adresses et ne peut plus être changé ensuite.</li>
<li>La <strong>Devise</strong> peut être changée jusqu’au premier ticket.</li>
<li>Un <strong>Bac à sable pour essayer</strong> a une <a href="clock">horloge</a> que l’on peut avancer. Vous le choisissez en créant l’enseigne, et cela reste ainsi.</li>
<li><strong>Y passer</strong> mène à une autre enseigne. Le nom de l’enseigne, en haut, aussi.</li>
</ul>
<h2>Questions</h2>
<p><strong>Que se passe-t-il si je désactive une enseigne ?</strong> Ses clients et vendeurs sont déconnectés et n’obtiennent plus de réponse. Rien n’est supprimé, mais les points continuent d’expirer.</p>
`},I={title:"Tickets",html:`<p>Chaque vente et chaque retour que vos magasins et vos caisses ont envoyés.</p>
<h2>Ce que vous pouvez faire</h2>
<ul>
<li>Trouvez un ticket par son numéro. Des filtres choisissent ventes ou retours, un point de vente et des jours.</li>
<li><strong>Enregistrer un ticket</strong> à la main, si la caisse ne l’a pas pu.</li>
<li>Ouvrez un ticket et choisissez <strong>Reprendre des articles</strong> si un client rapporte quelque chose.</li>
<li>Ouvrez un ticket qui n’est à personne et choisissez <strong>Attribuer à un client</strong>. Points, niveau et récompenses suivent comme s’il arrivait maintenant. Cette action est irréversible.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi un ticket n’a-t-il pas de client ?</strong> Il n’en nommait aucun, ou son adresse e-mail, son téléphone ou sa carte n’est à aucun client actif ou n’est pas encore confirmé. <strong>Comment les tickets trouvent leur client</strong> dans les <a href="settings">paramètres</a> dit ce qui est cherché, et dans quel ordre.</p>
<p><strong>Pourquoi n’a-t-il pas rapporté de points ?</strong> Il n’a pas de client, aucune <a href="rules">règle de gain</a> ne convient, ou ses produits ne comptent pas.</p>
<p><strong>Que fait un retour ?</strong> Il reprend des points en proportion, et les bons d’achat que la vente avait apportés, et réduit les chiffres.</p>
<p><strong>Un ticket compte-t-il deux fois si la caisse le renvoie ?</strong> Non. Chaque numéro ne sert qu’une fois.</p>
`},T={title:"Mouvements de points",html:`<p>Chaque mouvement de points : gagnés, dépensés, bloqués, donnés d’un client à un autre. Rien n’est jamais supprimé ici ; les erreurs s’annulent.</p>
<h2>Ce que vous pouvez faire</h2>
<ul>
<li><strong>Ajouter des points</strong> : le client voit la <strong>Raison</strong>. Les points expirent comme le disent les paramètres, ou après les jours de <strong>Valables pendant</strong>.</li>
<li><strong>Dépenser des points</strong> d’un client.</li>
<li>Ouvrez un mouvement et choisissez <strong>Annuler les points</strong> s’ils ont été ajoutés par erreur. Ce qui en a été dépensé reste dépensé.</li>
<li>Au même endroit, <strong>Les rendre disponibles maintenant</strong> libère des points qui attendent, et <strong>Les faire expirer maintenant</strong> met fin à des points plus tôt.</li>
</ul>
<h2>Questions</h2>
<p><strong>Quels points sont dépensés en premier ?</strong> Ceux qui expirent en premier.</p>
<p><strong>Que sont les points en attente ?</strong> Des points qu’un client a gagnés mais ne peut pas encore dépenser, par exemple tant que la marchandise peut être rendue. Les <a href="settings">paramètres</a> disent pour combien de jours.</p>
<p><strong>J’ai dépensé des points par erreur.</strong> Ajoutez-en à nouveau le même nombre.</p>
<p><strong>Que fait un retour ?</strong> Il reprend les points que les articles rendus avaient fait gagner, mais jamais plus que n’en a le client.</p>
`},M={title:"Essayer",html:`<p>Qu’obtient un client pour un panier, et pourquoi ? Cette page interroge comme le fait une caisse ou une boutique en ligne. Rien n’est réservé ni modifié.</p>
<h2>Essayer un panier</h2>
<ol>
<li>Choisissez un client, ou laissez le champ vide pour un inconnu. <strong>Moment</strong> essaie un autre moment que maintenant.</li>
<li>Saisissez un montant. <strong>Saisir des lignes</strong> prend des numéros d’article, des catégories et des étiquettes, pour les récompenses et les <a href="rules">règles</a> de certains produits.</li>
<li>Ajoutez des codes de coupons, et les récompenses que le client veut acheter.</li>
</ol>
<p>Le résultat change pendant la saisie. <strong>Copier le lien</strong> copie une adresse avec tout ce que vous avez saisi.</p>
<h2>Lire le résultat</h2>
<ul>
<li><strong>Prix</strong> montre ce que chaque remise déduit de chaque ligne.</li>
<li><strong>Coupons et récompenses : pourquoi</strong> cite chaque règle vérifiée. Une croix dit ce qui manque.</li>
<li><strong>Points</strong> montre ce que chaque règle de gain donne pour chaque ligne.</li>
<li><strong>Ensuite</strong> montre le solde, le niveau, et ce qui manque pour le niveau et la récompense suivants.</li>
</ul>
<h2>Questions</h2>
<p><strong>Pourquoi un coupon n’est-il pas appliqué alors que toutes les règles sauf une sont respectées ?</strong> De toutes les combinaisons, c’est celle qui déduit le plus qui vaut. Avec une autre, le prix est égal ou inférieur.</p>
<p><strong>Qui voit cette page ?</strong> Ceux qui peuvent voir les <a href="campaigns">campagnes</a>. Pour choisir un client ou saisir un code, il faut aussi pouvoir voir les <a href="customers">clients</a>.</p>
`},V={title:"Webhooks",html:`<p>Les webhooks disent à vos autres systèmes ce qui se passe : un achat, un nouveau client, un bon utilisé. Il vous faut pour cela un développeur.</p>
<ol>
<li>Appuyez sur <strong>Ajouter un webhook</strong>, saisissez l’<strong>Adresse</strong> de votre système et choisissez les événements.</li>
<li>Enregistrez, et conservez le secret. Il est affiché une seule fois, et prouve qu’un appel vient de Punchcard.</li>
<li>Appuyez sur <strong>Tester</strong>.</li>
</ol>
<h2>Bon à savoir</h2>
<ul>
<li>Les appels en échec sont répétés pendant trois jours, avec des pauses de plus en plus longues.</li>
<li>Un webhook en échec pendant cinq jours est désactivé, et la <a href="overview">vue d’ensemble</a> vous le dit. Réactivez-le, et il reprend ce qu’il a manqué.</li>
<li><strong>Envois</strong> énumère chaque appel avec sa réponse. <strong>Renvoyer</strong> en répète un, <strong>Relancer les échecs</strong> tous ceux qui ont échoué.</li>
</ul>
`},N={administrators:n,audit:s,bought:t,"bulk-actions":c,campaigns:r,cashback:i,categories:o,clock:l,customers:a,events:p,imports:g,invitations:d,jobs:m,joining:v,journeys:h,keys:q,languages:f,levels:z,limits:b,mailings:x,messages:j,notifications:L,overview:C,owed:y,"points-of-sale":A,reports:P,roles:Q,rules:S,segments:U,sellers:k,settings:E,"single-sign-on":R,stores:D,transactions:I,transfers:T,"try-it":M,webhooks:V};export{n as administrators,s as audit,t as bought,c as"bulk-actions",r as campaigns,i as cashback,o as categories,l as clock,a as customers,N as default,p as events,g as imports,d as invitations,m as jobs,v as joining,h as journeys,q as keys,f as languages,z as levels,b as limits,x as mailings,j as messages,L as notifications,C as overview,y as owed,A as"points-of-sale",P as reports,Q as roles,S as rules,U as segments,k as sellers,E as settings,R as"single-sign-on",D as stores,I as transactions,T as transfers,M as"try-it",V as webhooks};
