var t={title:"Administrators",html:`<p>Who may work in this cockpit, and which programs may use the API, in all stores. Press <strong>Add an administrator</strong> to add one.</p>
<ul>
<li>A <strong>Person</strong> signs in with an e-mail address and a password. Hand over a link or send an invitation, and they choose the password themselves. The link works once, for a week; until then you can send it again or withdraw it.</li>
<li>An <strong>Integration</strong> is a program, such as your web shop. It has a key instead of a password. The key is shown once: store it in a safe place.</li>
<li>The <a href="roles">role</a> says what both may see and change. <strong>In some stores</strong>, each store has a role of its own, and there are no rights elsewhere.</li>
</ul>
<h2>Questions</h2>
<p><strong>Somebody leaves the company.</strong> Press <strong>Offboard</strong> on their page. You see what ends with it. They are signed out everywhere at once, and what they did stays in the <a href="audit">audit</a>.</p>
<p><strong>Somebody has seen a key.</strong> Tick <strong>Make a new key</strong> and save. The old one stops working at once.</p>
<p><strong>Why can I not give somebody a role?</strong> Nobody can give a right that they do not have.</p>
<p><strong>Can the last administrator be switched off?</strong> No. One active person who may do everything has to remain.</p>
<p><strong>Somebody has lost their phone.</strong> A recovery code lets them in. Without one, press <strong>Reset second factors</strong> on their page: they sign in by the password alone, and then add a new one. Make sure first that it is really them who ask.</p>
`},s={title:"Audit",html:`<p>Who changed what, when and from where, in all stores. Also log-ins, and who looked at customers.</p>
<ul>
<li>Search by user name, or filter by event, object and days. Click an entry to see the values <strong>Before</strong> and <strong>After</strong>.</li>
<li><strong>Download</strong> saves what you found.</li>
<li><strong>Archive</strong> takes old entries out of the list. The archives can be downloaded there.</li>
</ul>
<h2>Questions</h2>
<p><strong>Can somebody change or delete an entry?</strong> Not in this cockpit. Very old entries are removed by the server, usually after five years.</p>
<p><strong>Are passwords in it?</strong> No, nor other secrets.</p>
<p><strong>What remains of an anonymised customer?</strong> Who of your team did something, and when. Personal data is removed from the entries.</p>
`},n={title:"Bought rewards",html:`<p>Every reward that a customer bought or was given, with its code and whether it was used.</p>
<h2>What you can do</h2>
<ul>
<li>Find a coupon: type its whole code. Filters choose a reward, a customer, days and more.</li>
<li>Mark a coupon with the switch <strong>Used</strong>, or switch it back if that was a mistake.</li>
<li>Follow a gift on its way: choose <strong>Ordered</strong>, <strong>Shipped</strong> or <strong>Delivered</strong> once the customer has used the coupon.</li>
<li>Take a purchase back: open the customer and press <strong>Undo purchase</strong> on the tab <strong>Coupons</strong>. The points go back with the expiry that they had; those that have expired since are lost. If the coupon is used, press <strong>Undo the use</strong> first.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why can a coupon not be used?</strong> Its row tells: it was used already, is not valid yet, has expired or was cancelled. Or the customer is not active.</p>
<p><strong>How long can a purchase be taken back?</strong> As long as <strong>Purchases can be cancelled for</strong> in the <a href="settings">settings</a> says; at first, 14 days.</p>
<p><strong>Is the code sold again then?</strong> No, because somebody may have seen it, unless you switch that on in the settings.</p>
`},o={title:"Bulk actions",html:`<p>What was done to many customers at once, and how far it is.</p>
<h2>Begin one</h2>
<ol>
<li>Go to <a href="customers">all customers</a> and tick some, or choose all that match the filters.</li>
<li>Choose what to do: a label, a segment, points or a message.</li>
<li>Press <strong>Start</strong>. It works in the background, and you can leave the page.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>Each customer is changed once, also if the server is restarted meanwhile.</li>
<li><strong>Stop</strong> ends the action. What is done stays.</li>
<li><strong>Undo</strong> takes back what has not changed since. The page lists the rest, such as points that were spent.</li>
</ul>
`},c={title:"Campaigns",html:`<p>A campaign is a reward that customers get for points, or for free: a discount, a voucher, a gift, free delivery, an invitation, money.</p>
<h2>Create a reward</h2>
<ol>
<li>Press <strong>Create a reward</strong> and choose what it is for. The form comes filled in, and you can change it.</li>
<li>Under <strong>What</strong>, give it a name and describe it in each language.</li>
<li>Under <strong>Who</strong>, choose everybody, some <a href="levels">levels</a> or some <a href="segments">segments</a>. You see how many customers that reaches.</li>
<li>Under <strong>When</strong>, say when customers can buy it and when they see it.</li>
<li>Under <strong>How often</strong>, set the price in points and the limits.</li>
<li>Press <strong>Save and activate</strong>. <strong>Save switched off</strong> keeps it for later.</li>
</ol>
<h2>Codes</h2>
<p>Punchcard generates codes, or you bring your own. Each buyer gets the next one, or all get the same. When few are left, the <a href="overview">overview</a> tells you.</p>
<h2>Limits</h2>
<ul>
<li><strong>At most, in all</strong> is never exceeded, however many customers buy at the same moment.</li>
<li><strong>At most, per customer</strong> counts for all time, or anew in each day, month or year.</li>
</ul>
<h2>Questions</h2>
<p><strong>What if I change a reward that was bought?</strong> What customers have stays as it was: code, dates and points paid.</p>
<p><strong>How do I end a reward?</strong> Switch it off. <strong>Archive</strong> also takes it out of the list. Coupons that were bought can still be used.</p>
<p><strong>Why does nobody see it?</strong> Check that it is on, that its days have begun, and that customers and codes are there for it.</p>
`},r={title:"Cashback",html:`<p>Cashback turns points into money. A payment provider, or you, pay it.</p>
<h2>How it goes</h2>
<ol>
<li>Create a <a href="campaigns">campaign</a> of the kind <strong>Points as cash</strong>. It says what one point is worth.</li>
<li>A customer exchanges points in the app, or you press <strong>Exchange points for money</strong>. You see what the points are worth first.</li>
<li>The points are taken at once. If a payment provider is connected, it gets a message to pay.</li>
</ol>
<p>If the provider reports that the payment failed, the points come back by themselves.</p>
<h2>What the list shows</h2>
<p>These messages, and what became of each. <strong>Failed</strong> means that the provider did not take it. The points stay spent, because the money may have been paid: ask the provider, and press <strong>Send again</strong> if it was not.</p>
<h2>Questions</h2>
<p><strong>Can I limit it?</strong> Yes, in the <a href="settings">settings</a> under <strong>Points for money</strong>: the fewest points at once, and the most of a customer in a day.</p>
<p><strong>What if I have no provider?</strong> The exchanges are among the <a href="bought">bought rewards</a>, and you pay the money yourself.</p>
`},a={title:"Categories",html:`<p>Categories group rewards for your customers: drinks, gifts, tickets.</p>
<ul>
<li>Press <strong>Create a category</strong> and give it a name in each language of your program. Where one is missing, customers see the name in the default language.</li>
<li><strong>Order</strong> decides the place: categories with a lower number come first.</li>
<li>A reward can be in several categories. You choose them in the form of the <a href="campaigns">campaign</a>, under <strong>More: message, categories, brand, labels</strong>.</li>
</ul>
<h2>Questions</h2>
<p><strong>Can I delete a category?</strong> No, but you can switch it off under <strong>In menus</strong>. Customers can then no longer choose it in the app. Its rewards stay on sale and keep the category.</p>
`},i={title:"Sandbox clock",html:`<p>A sandbox store has a clock that you can move forward, to see what your program does in a week or a month.</p>
<ol>
<li>Press <strong>1 day</strong>, <strong>1 week</strong> or <strong>30 days</strong>. Or choose a moment and press <strong>Move until then</strong>.</li>
<li>What becomes due happens at once: points unlock and expire, coupons end, levels and segments change, customers are notified.</li>
<li><strong>What became due</strong> lists it.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>The clock never moves back.</li>
<li>A move is one step: what happens every day happens once, on arrival.</li>
<li>Other stores are not touched.</li>
<li>For real customers, use a store without a sandbox. You open both under <a href="stores">stores</a>.</li>
</ul>
`},h={title:"All customers",html:`<p>Everybody in your program.</p>
<h2>Find somebody</h2>
<p>Type a name, an e-mail address, a phone or a card number. Or filter the list by level, segment, status and day of joining. <strong>Download</strong> saves what you found.</p>
<p><strong>Save as a view</strong> keeps the filters and the order of the list under a name, for yourself or for all who see customers. <strong>Saved views</strong> brings them back.</p>
<h2>The profile</h2>
<ul>
<li><strong>Timeline</strong> tells what happened, in order. The other tabs have coupons, points, purchases, messages and notes.</li>
<li><strong>Add points</strong> and <strong>Buy a reward</strong> are at the top. The menu beside them has the rest, such as spending points, the level and blocking.</li>
</ul>
<h2>Add a customer</h2>
<p>Press <strong>Add a customer</strong>. The names, a contact and the agreement to the terms are needed. Tick <strong>Wants news and offers</strong> only for those who said so.</p>
<h2>Questions</h2>
<p><strong>A customer cannot sign in.</strong> A notice in the profile says what is missing. <strong>Send again</strong> repeats the message; <strong>Activate</strong> does without it.</p>
<p><strong>Block or anonymise?</strong> After <strong>Block</strong>, a customer keeps everything and can do nothing until you press <strong>Activate</strong>. <strong>Anonymise</strong> deletes for good who somebody is, and keeps the figures.</p>
<p><strong>A customer asks for their data.</strong> Open <strong>Record</strong>, then <strong>Data and privacy</strong>. Under <strong>A copy of all data</strong> you get one file.</p>
<p><strong>A customer has two accounts.</strong> Use <strong>Merge with another customer</strong> in the profile of the one that stays.</p>
`},l={title:"Events",html:`<p>Everything that has happened in the store, newest first. New events appear while you look.</p>
<ul>
<li>Filter by kind, customer and days.</li>
<li><strong>Pause</strong> holds the list, so that you can read in peace. <strong>Resume</strong> goes on.</li>
<li>Click an event to see what it holds.</li>
<li>Names and contacts are shown only to those who may see customers.</li>
</ul>
<h2>Questions</h2>
<p><strong>What are events good for?</strong> To find out what went on, for example with a customer. And for other systems: developers read events by the API, or receive them by <a href="webhooks">web hooks</a>.</p>
<p><strong>Can events be deleted?</strong> No. If a customer is anonymised, the personal details in them are emptied.</p>
`},g={title:"Imports",html:`<p>Bring in what you have: customers, points, receipts. Take the file that your present program exports; you need not rearrange it.</p>
<h2>How it goes</h2>
<ol>
<li>Press <strong>Import a file</strong>. Choose what the file holds, and the file.</li>
<li>Punchcard guesses how dates and numbers are written and which column is which. Correct what is wrong. Your choices are kept for the next file with these columns.</li>
<li>Look at the first records as they will be stored. <strong>Check the file</strong> tries all of them and stores nothing.</li>
<li>Press <strong>Import now</strong>. You can leave the page.</li>
</ol>
<h2>Customers who exist already</h2>
<p>Choose <strong>Refuse them</strong> or <strong>Update them</strong>. Blank cells keep what is there. Consent, level and whether somebody is active change only if you tick them under <strong>Also replace</strong>.</p>
<h2>Questions</h2>
<p><strong>Some records were refused.</strong> The page lists them with the reason. Correct them and import them in a file of their own, because points that are imported again are given again.</p>
<p><strong>It was the wrong file.</strong> <strong>Undo the import</strong> takes back customers or points. What has changed since stays, and is listed. Receipts are taken back by returns.</p>
<p><strong>Do customers get messages?</strong> Only if you tick <strong>Welcome them</strong> or <strong>Tell customers</strong>, or if a column of the file asks for it.</p>
`},d={title:"Invitations",html:`<p>Customers invite friends, and both can win something.</p>
<ul>
<li>A customer invites somebody by e-mail or phone, or shares a personal link from the app. Who joins by it counts as invited.</li>
<li>An <a href="rules">earning rule</a> of the kind <strong>Points for invitations</strong> says who gets points, and for what: joining, the first purchase or every purchase.</li>
<li>This page lists who invited whom, how far they came (<strong>Invited</strong>, <strong>Registered</strong>, <strong>Bought something</strong>) and the points that each side got.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why did nobody get points?</strong> Perhaps there is no rule, or it is for other levels or segments: it has to fit the friend. A customer who is not active gets nothing.</p>
<p><strong>Can somebody be invited twice?</strong> No. Nor can somebody who is a customer already.</p>
`},p={title:"Jobs",html:`<p>What the server does by itself: points expire, segments are calculated, push notifications are sent.</p>
<ul>
<li>Each line shows how often a job runs, how the last run went and when the next one is due.</li>
<li>The button with an arrow at the end of a line runs a job at once. You rarely need it.</li>
<li>A job that failed is tried again by itself, and the <a href="overview">overview</a> tells you.</li>
</ul>
<h2>Questions</h2>
<p><strong>A job has failed. What can I do?</strong> The line says why in a few words, such as a full disk. If it fails again, show the <strong>Technical details</strong> to the person who runs the server.</p>
<p><strong>Does it matter if a job runs a little late?</strong> Hardly. Points and coupons that have expired cannot be used, whether the job has run or not.</p>
`},m={title:"Join page",html:`<p>How people find your program and join it.</p>
<ul>
<li>The page at this <strong>Address</strong> shows visitors how to earn, what they can get, and the levels. They join there.</li>
<li>The <strong>Poster</strong> has the address as a QR code. <strong>Print</strong> it for your counter or window.</li>
<li><strong>On your website</strong> has a few lines for your own site. They show the same page there.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why does my website not show it?</strong> Enter the address of the site in the <a href="settings">settings</a> under <strong>Links and terms</strong>, in <strong>Sites that may show the join page</strong>. While this list is empty, no site may.</p>
<p><strong>Why is a reward missing?</strong> Visitors see rewards that are <strong>Public</strong>. Tick that in the form of the <a href="campaigns">campaign</a>.</p>
<p><strong>Must new customers activate their account?</strong> You decide it in the settings, under <strong>Customers' rights</strong>. It keeps out addresses that are mistyped or belong to somebody else.</p>
<p><strong>Can my sellers add customers?</strong> Yes, at the till.</p>
`},w={title:"Journeys",html:`<p>Messages that customers get by themselves on an occasion, with or without a gift.</p>
<h2>Begin one</h2>
<ol>
<li>Choose an occasion, such as the birthday, and press <strong>New</strong>.</li>
<li>Say when the message is sent, to whom, and what it says in each language.</li>
<li>Add a gift if you like: points or a reward.</li>
<li>Press <strong>Turn on</strong>. The page says how many customers it reaches today.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>A customer gets the message and the gift of an occasion once.</li>
<li>Earlier occasions are not made up for.</li>
<li>No message means no gift, for example without consent.</li>
<li>The <a href="settings">settings</a> say how many marketing messages a customer gets at most.</li>
</ul>
`},y={title:"Keys for programs",html:`<p>A program, such as a shop or a till of another maker, calls Punchcard with a key. Make one for each program.</p>
<ol>
<li>Press <strong>New key</strong>, name the program and tick what it may see and change.</li>
<li>Create the key and copy its secret. It is shown once.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>A key never may more than you: when your role shrinks, so does the key, and when you are switched off, it stops.</li>
<li><strong>New secret</strong> replaces the secret. The old one works for some hours more, so that the program can be changed without a break.</li>
<li><strong>Revoke</strong> stops the key at once.</li>
<li>No key can make keys, or change roles, administrators or passwords.</li>
</ul>
<h2>Questions</h2>
<p><strong>A secret got into the wrong hands. What now?</strong> Make a <strong>New secret</strong> with 0 hours, or <strong>Revoke</strong> the key. The <a href="audit">audit log</a> shows what it did.</p>
`},f={title:"Languages",html:`<p>The languages in which rewards, levels and categories have texts, in all stores.</p>
<ul>
<li>Press <strong>Add a language</strong>, and the forms have room for its texts.</li>
<li>The <strong>Default language</strong> is shown where a text is missing in the language of the customer.</li>
<li>Messages come in English, Polish, German, French and Spanish. For other languages, write your own under <a href="messages">messages</a>.</li>
</ul>
<h2>Questions</h2>
<p><strong>In which language do customers get messages?</strong> In the one that they choose in the app, or that you choose in their profile.</p>
<p><strong>What if I remove a language?</strong> All texts in it are lost, in every store.</p>
<p><strong>How do I change the language of this cockpit?</strong> In the menu of your account at the top. Each administrator chooses their own.</p>
`},v={title:"Levels",html:`<p>Levels reward your best customers: bronze, silver, gold. A level can bring a discount, and rewards and earning rules of its own.</p>
<h2>Create a level</h2>
<ol>
<li>Press <strong>Add a level</strong>. Give it a name and a description, which customers see in the app.</li>
<li>Say from which value on customers reach it. That counts purchases or points, as the <a href="settings">settings</a> say. Everybody starts in a level with 0.</li>
<li>Add a discount if it has one. The app and the till show it; your shop gives it.</li>
</ol>
<h2>Questions</h2>
<p><strong>When do customers move up?</strong> At once, with the receipt or the points that reach the value.</p>
<p><strong>When do they move down?</strong> If purchases count: when a return takes them below the value. If points count, <strong>Customers fall to a lower level</strong> in the settings decides: never, as soon as they have too few, or after a number of days.</p>
<p><strong>Can I give somebody a level?</strong> Yes, with <strong>Set the level by hand</strong> in the profile of the customer. It stays until the customer reaches a higher one, or until you choose <strong>Let the level follow purchases again</strong>.</p>
<p><strong>Can I delete a level?</strong> Yes. Its customers move to the level that their own figures reach. One level to start in has to remain.</p>
`},b={title:"Limits",html:`<p>The largest sizes and numbers that this server accepts, and how often something may be done. They keep one mistake from stopping the program for everybody.</p>
<ul>
<li>Each line has the name of a limit and its <strong>Value</strong>. Type a word to find one.</li>
<li>Error messages and the documentation use the same names.</li>
<li>If there is something under <strong>Set by</strong>, the person who runs the server can change the limit.</li>
</ul>
<h2>Questions</h2>
<p><strong>Do I need this page?</strong> Rarely: when an error message or a developer names a limit.</p>
<p><strong>Can I change a limit here?</strong> No. Ask the person who runs the server.</p>
`},k={title:"Mailings",html:`<p>Write to many customers at once, by e-mail, SMS, push or in the inbox of the app.</p>
<h2>Send one</h2>
<ol>
<li>Press <strong>Write a mailing</strong>. Choose the channels and <strong>Who gets it</strong>. You see how many agree to marketing, and how many each channel reaches.</li>
<li>Write the text in each language. A placeholder such as {{ first_name }} becomes the name of the customer. For e-mails choose <strong>Plain text</strong> or <strong>Blocks</strong>: headings, buttons, pictures and rewards in the look of your store. Drag a block by its name, or use its arrows.</li>
<li>Look at it under <strong>As a customer gets it</strong>. If it is an e-mail, <strong>Send the test</strong> sends it to you.</li>
<li>Press <strong>Save</strong>, and then <strong>Send now</strong>. If you chose a time in <strong>Send at</strong>, the button is <strong>Schedule</strong>.</li>
</ol>
<p>While it is being sent, you can <strong>Pause</strong> or <strong>Stop</strong> it.</p>
<h2>Good to know</h2>
<ul>
<li>E-mail, SMS and push reach only customers who agree to marketing. The inbox reaches everybody you chose.</li>
<li>With a link in each e-mail and SMS, customers can end such messages.</li>
<li>Nobody gets the same mailing twice.</li>
<li>In the quiet hours of your <a href="settings">settings</a>, only the inbox gets it. The rest waits.</li>
<li>The results count what was sent and what failed on each channel, and who followed your link.</li>
<li>Buttons, pictures and rewards of an e-mail count as followed, as your link does.</li>
</ul>
`},T={title:"Messages",html:`<p>What Punchcard writes to people by itself: activation, a new password, points that expire, a birthday and so on.</p>
<ul>
<li><strong>Texts</strong>: each message has a built-in text. Open it to change it, to look at it, to switch it off with <strong>Is sent</strong>, or to <strong>Send the saved text as a test</strong>. Some are off at first, such as birthday greetings.</li>
<li><strong>Sent messages</strong>: what went to whom, what waits, and what failed and why. For those that failed there is <strong>Send again</strong>.</li>
<li><strong>Delivery</strong>: whether messages can be sent, your mail server, and services for SMS and push. <strong>Send a test</strong> tries it. SMS go through a gateway of your own, or through <strong>Twilio</strong>: enter its account, the sender and the token. Push messages can go to the browsers of customers without any service: switch on <strong>Send to browsers</strong>, and customers switch them on in their account.</li>
</ul>
<h2>Questions</h2>
<p><strong>Do I need a mail server?</strong> Earning points and using coupons work without one. But customers can neither activate their account nor choose a new password by themselves then.</p>
<p><strong>Why can I not change something here?</strong> Texts with links or codes, and where messages go out, could open anybody's account. They need the permission <strong>Where messages with passwords and links go</strong>, and your password.</p>
`},W={title:"Notifications",html:`<p>Short messages that reach customers by themselves in the inbox of the app: a new reward, and coupons, points or levels that end soon.</p>
<ul>
<li>Each reward has a text of its own: <strong>Message to customers</strong> in the form of the <a href="campaigns">campaign</a>. If you leave it empty, customers read its name.</li>
<li>Everybody whom the reward is for gets it once, also who reaches its level or segment later.</li>
<li><strong>Rewards announced</strong> shows how far that is.</li>
<li>The <a href="settings">settings</a> say, under <strong>Messages</strong>, how many days before an end customers get a message.</li>
<li><strong>Gateway</strong> hands notifications to a service of yours that makes push messages or text messages of them. You need a developer for it.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why did a new customer get no message about a reward?</strong> It was on offer already. New customers see it in the app.</p>
<p><strong>How do I send other news?</strong> Write a <a href="mailings">mailing</a>.</p>
`},A={title:"Overview",html:`<p>The first page of each day: what the program brought, and what needs you.</p>
<h2>What you see</h2>
<ul>
<li>The figures count the days that you choose at the top, and compare them with the days before or with a year earlier. The three large ones lead to what is behind them.</li>
<li><strong>Needs attention</strong> lists rewards that run out, points that expire soon, messages that failed and the like. A line leads to the place where you can act.</li>
<li><strong>Top rewards</strong> are those that customers bought most in these days.</li>
<li><strong>Latest events</strong> shows what your customers do at this moment.</li>
</ul>
<h2>The first steps</h2>
<p>In a new store, <strong>First steps</strong> stands above the figures until a customer can earn points, buy a reward and use it. You do each step right there. <strong>Skip</strong> one that you do not need now: you can do it later on its own page.</p>
<h2>Questions</h2>
<p><strong>Why is the figure of yesterday different today?</strong> A return, a cancelled purchase or a deleted customer changes the day of the sale, purchase or registration that it takes back. So each day agrees with what is true now.</p>
<p><strong>When does a day begin?</strong> At midnight in the <strong>Time zone</strong> of your store, which you choose in the <a href="settings">settings</a>.</p>
`},I={title:"What is owed",html:`<p>The points that customers hold are a promise. This page shows how large it is: for your accounts, and to see what is coming.</p>
<h2>What you see</h2>
<ul>
<li><strong>Points that customers hold</strong> are all points that can be spent, and those that are pending or blocked.</li>
<li><strong>Expire first</strong> are those of the next month in which points expire.</li>
<li><strong>Expired instead of spent</strong> is a share: of all points that could expire in this month and the eleven before, how many did.</li>
<li><strong>By month of expiry</strong> and <strong>By level</strong> divide the sum.</li>
</ul>
<h2>In money</h2>
<p>Enter the <strong>Cost of a point</strong> in the <a href="settings">settings</a>, and every sum has a value. If you change the cost later, earlier days keep theirs.</p>
<h2>For your accountant</h2>
<p><strong>Download</strong> saves a journal of the last twelve months: points issued, spent, expired and valued anew, as double entries for each day. With a cost of a point, it agrees with the balance to the cent.</p>
<p>Coupons that were bought and not used yet are in the <a href="reports">reports</a>, under <strong>Rewards</strong>.</p>
`},S={title:"Points of sale",html:`<p>Your shops, web shops and tills. Receipts and <a href="sellers">sellers</a> belong to one, so that there are figures for each.</p>
<ul>
<li>Press <strong>Add a point of sale</strong>. A name is enough.</li>
<li>The <strong>Identifier</strong> is the number of the till or shop in your other systems. If you leave it empty, it is the name.</li>
<li><strong>Sales</strong> and <strong>Turnover</strong> show how many receipts each has so far, and their value less returns.</li>
</ul>
<h2>Questions</h2>
<p><strong>Can something be for one shop only?</strong> <a href="rules">Earning rules</a> can. For a reward, make a <a href="segments">segment</a> with <strong>Bought at a point of sale</strong>.</p>
<p><strong>Can I delete a point of sale?</strong> No, because receipts refer to it.</p>
<p><strong>What is an enrolled till?</strong> A device on which <a href="sellers">sellers</a> switch with a PIN instead of a password. A seller enrols it in the account menu of the till. Revoke it here if it is lost or goes elsewhere.</p>
`},C={title:"Reports",html:`<p>Figures of the days that you choose, compared with the period before, with a year earlier or with days of your own.</p>
<h2>How to read them</h2>
<ul>
<li>Choose the period at the top. Everything on the page follows.</li>
<li>Under <strong>Figures</strong>, each line tells how it is counted. <strong>Show the rows</strong> leads to what is behind it.</li>
<li><strong>By point of sale</strong> and <strong>By level</strong> divide the sales.</li>
<li>Below them, <strong>Coupons of each reward</strong> tells for each reward how many coupons were bought and used, what they cost, and what was sold with them.</li>
<li><strong>Download</strong> saves a table as a spreadsheet or as CSV.</li>
</ul>
<h2>Rewards and customers</h2>
<p>Some questions need a look at every coupon or receipt: what each reward cost and brought, how many customers buy again, and how those who joined in a month stay. Open <strong>Rewards</strong> or <strong>Customers</strong> and press <strong>Compute the report</strong>. You can leave the page; the report is there when you come back to the same period.</p>
<h2>Questions</h2>
<p><strong>For which level does a sale count?</strong> For the one that the customer had when the receipt arrived.</p>
<p><strong>And for which segments?</strong> For those that the customer is in when the report is computed. The period can have 92 days at most.</p>
<p><strong>What is the redemption rate?</strong> Points spent in these days, divided by points issued in these days. The points spent can be older.</p>
<p>What you owe in points is on a page of its own: <a href="owed">What is owed</a>.</p>
`},P={title:"Roles",html:`<p>A role says what an administrator may see and change. Give each person the smallest role that is enough for their work.</p>
<ul>
<li><strong>See</strong> lets them look at an area, <strong>Change</strong> lets them change it as well.</li>
<li>The <strong>Default role</strong> is preselected for new administrators.</li>
<li>Changes count within seconds, also for those who are signed in.</li>
<li>One role may do everything. Only its name can change.</li>
<li><strong>Where messages with passwords and links go</strong> is for few: who may change that could open anybody's account.</li>
<li><strong>Second factor</strong>: require a passkey or an authenticator app of everybody with the role, and give them some days to add it. Who has none afterwards can only add one.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why can I not delete a role?</strong> Somebody has it: give them another one first. Or it is the default one, or the one that may do everything.</p>
<p><strong>Why can I not change a role?</strong> It may do more than yours.</p>
`},x={title:"Earning rules",html:`<p>Earning rules decide what customers get points for: money spent, certain products, a first purchase, a birthday, an invitation, a visit.</p>
<h2>Create a rule</h2>
<ol>
<li>Press <strong>Add an earning rule</strong> and choose a kind. <strong>Points for money spent</strong> is the usual start, such as 1 point for each euro.</li>
<li>Say how many points, for whom and when. <strong>Without a date</strong> means always.</li>
<li>Save it with <strong>Switched on</strong> ticked. It counts from then on.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>Rules add up. <strong>Multiply points of products</strong> multiplies what the rule for money spent gives for these products.</li>
<li>A rule can be for certain levels or segments, and for certain shops.</li>
<li>For codes, places and events of your own you can limit how often a customer gets the points.</li>
<li>Changing a rule changes nothing that was earned before.</li>
<li>What earns no points is said in the rule for money spent: <strong>Delivery does not count</strong>, <strong>Products that do not count</strong>.</li>
<li>How points are rounded and when they expire is in the <a href="settings">settings</a>.</li>
</ul>
<h2>Questions</h2>
<p><strong>How can I try my rules?</strong> Begin to register a <a href="transactions">receipt</a>: choose a customer and enter a value, and the page shows the points. Leave it without saving, and nothing is stored.</p>
`},E={title:"Segments",html:`<p>A segment is a group of customers with something in common: those who have not bought for 60 days, whose birthday is soon, who buy coffee. Use segments for <a href="campaigns">campaigns</a>, <a href="rules">earning rules</a> and <a href="mailings">mailings</a>.</p>
<h2>Create a segment</h2>
<ol>
<li>Press <strong>Add a segment</strong>, give it a name and choose a <strong>Criterion</strong>, such as <strong>Has not bought for some time</strong>.</li>
<li>Add more if you like. Within a group one criterion is enough; every group must be met. A setting turns this round.</li>
<li>At the end of the form you see how many customers that finds, and some of them, before you save.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>Customers come and go by themselves: at once when something about them changes, and at midnight where days count.</li>
<li>A customer who enters a segment sees its rewards at once.</li>
<li>Only active customers are members.</li>
<li>While <strong>Keep the members up to date</strong> is off, rewards and rules treat the segment as empty.</li>
<li>If you delete a segment, its customers stay customers.</li>
</ul>
`},N={title:"Sellers",html:`<p>Who serves your customers at the till.</p>
<h2>Add a seller</h2>
<ol>
<li>Press <strong>Add a seller</strong>. You need a <a href="points-of-sale">point of sale</a> first.</li>
<li>Enter the name, the e-mail address for signing in, and a password that you tell the seller.</li>
<li>Under <strong>May</strong>, decide what they may do beside adding customers and selling rewards: register receipts, use and look up coupons, cancel purchases, add and spend points.</li>
</ol>
<p>The till runs in a browser, on a tablet or a phone. Without a network it keeps what was entered and sends it later.</p>
<h2>Questions</h2>
<p><strong>Where is the till?</strong> Sign out of this cockpit: below the sign-in there is <strong>For the till</strong>.</p>
<p><strong>A seller leaves.</strong> Switch off <strong>May sign in</strong>. The seller is signed out at once, and what they did stays.</p>
<p><strong>A password was forgotten.</strong> Enter a <strong>New password</strong> here. With a mail server, sellers can also choose one by themselves at the till.</p>
<p><strong>A seller has lost their phone.</strong> Press <strong>Reset second factors</strong> here: the seller signs in by the password alone, and then adds a new one. The <a href="settings">settings</a> decide whether sellers need one.</p>
`},Q={title:"Settings",html:`<p>What your store decides for itself. Each field says what it does, and changes count as soon as you save.</p>
<h2>The important ones</h2>
<ul>
<li><strong>Time zone</strong>: where days begin and end.</li>
<li><strong>Currency</strong>: you change it under <a href="stores">stores</a>, until the first receipt.</li>
<li><strong>Points expire</strong>: after some days, at the end of the month or year, or never. Points that customers have keep their date.</li>
<li><strong>Customers reach levels by</strong>: sales or points.</li>
<li><strong>Products that do not count</strong>: for levels only. For points, each <a href="rules">earning rule</a> has a list of its own.</li>
<li><strong>How receipts find their customer</strong>: by e-mail, card or phone, and in which order.</li>
<li><strong>No marketing messages from</strong>: the quiet hours.</li>
<li><strong>Look of the customers' app</strong>: colour, logo and a large picture.</li>
<li><strong>Sellers</strong>: whether they need a second factor at the till. It is saved apart from the rest.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why can I not change a field?</strong> Your role may only see the settings. Or the field decides where links in messages lead: then you need the permission <strong>Where messages with passwords and links go</strong>, and your password.</p>
`},R={title:"Single sign-on",html:`<p>Administrators sign in with the accounts of your organization, by a provider such as Keycloak, Entra ID or Google Workspace. Press <strong>Add a provider</strong> and copy its issuer, client ID and client secret from the provider. Afterwards, tell the provider the redirect URI that this page shows.</p>
<ul>
<li><strong>Roles by group</strong> decide what somebody may do. They are read again at each sign-in, and the first group in the list counts.</li>
<li><strong>Test</strong> asks whether the provider answers. <strong>Try groups</strong> shows which <a href="roles">role</a> some groups give.</li>
<li>Who has an account here already signs in to it, and links it in the user menu under <strong>Linked accounts</strong>.</li>
<li>The tab of the <strong>store</strong> has the providers of that store alone. They give roles in this store, and <strong>Sellers by group</strong> lets sellers sign in at the till. Sellers who have an account link it in the menu of the till.</li>
</ul>
<h2>Questions</h2>
<p><strong>Somebody leaves the company.</strong> Take the groups away at the provider. With back-channel logout, sessions end at once; otherwise also switch the <a href="administrators">account</a> off.</p>
<p><strong>Why is a new colleague refused?</strong> None of their groups is in the list, or there is an account with their e-mail address that they have to link.</p>
<p><strong>Nobody can sign in any more.</strong> Run <code>punchcard admin allow-passwords</code> on the server, and sign in with a password.</p>
`},O={title:"Stores",html:`<p>Each store is a program of its own, with its own customers, rewards, points and settings. Stores share administrators, roles and languages.</p>
<ul>
<li><strong>Open a store</strong> makes a new one, with the settings of the default store. Customers can join as soon as it has a level.</li>
<li>The <strong>Code</strong> is part of addresses and cannot be changed later.</li>
<li>The <strong>Currency</strong> can be changed until the first receipt.</li>
<li>A <strong>Sandbox for trying</strong> has a <a href="clock">clock</a> that can be moved forward. You choose that when you open the store, and it stays so.</li>
<li><strong>Switch to it</strong> leads to another store. So does the name of the store at the top.</li>
</ul>
<h2>Questions</h2>
<p><strong>What happens when I switch a store off?</strong> Its customers and sellers are signed out and get no answer. Nothing is deleted, but points go on to expire.</p>
`},F={title:"Receipts",html:`<p>Every sale and every return that your shops and tills have sent.</p>
<h2>What you can do</h2>
<ul>
<li>Find a receipt by its number. Filters choose sales or returns, a point of sale and days.</li>
<li><strong>Register a receipt</strong> by hand if the till could not.</li>
<li>Open a receipt and choose <strong>Take goods back</strong> if a customer returns something.</li>
<li>Open a receipt that belongs to nobody and choose <strong>Match with a customer</strong>. Points, level and rewards follow as if it arrived now. This cannot be undone.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why does a receipt have no customer?</strong> It named none, or its e-mail address, phone or card belongs to no active customer, or is not confirmed yet. <strong>How receipts find their customer</strong> in the <a href="settings">settings</a> says what is looked at, and in which order.</p>
<p><strong>Why did it earn no points?</strong> It has no customer, no <a href="rules">earning rule</a> fits, or its products do not count.</p>
<p><strong>What does a return do?</strong> It takes points back in proportion, and vouchers that the sale brought, and lowers the figures.</p>
<p><strong>Is a receipt counted twice if the till sends it again?</strong> No. Each number is used once.</p>
`},M={title:"Point transfers",html:`<p>Every movement of points: earned, spent, blocked, given from one customer to another. Nothing here is ever deleted; mistakes are cancelled.</p>
<h2>What you can do</h2>
<ul>
<li><strong>Add points</strong>: the customer sees the <strong>Reason</strong>. The points expire as the settings say, or after the days in <strong>Valid for</strong>.</li>
<li><strong>Spend points</strong> of a customer.</li>
<li>Open a transfer and choose <strong>Cancel the points</strong> if they were added by mistake. What was spent of them stays spent.</li>
<li>In the same place, <strong>Let them be spent now</strong> unlocks points that wait, and <strong>Let them expire now</strong> ends points early.</li>
</ul>
<h2>Questions</h2>
<p><strong>Which points are spent first?</strong> Those that expire first.</p>
<p><strong>What are pending points?</strong> Points that a customer has earned but cannot spend yet, for example until goods can no longer be returned. The <a href="settings">settings</a> say for how many days.</p>
<p><strong>I spent points by mistake.</strong> Add the same number again.</p>
<p><strong>What does a return do?</strong> It takes back the points that the returned goods had earned, but never more than the customer has.</p>
`},Y={title:"Try it",html:`<p>What does a customer get for a basket, and why? This page asks the checkout as a till or a web shop does. Nothing is reserved or changed.</p>
<h2>Try a basket</h2>
<ol>
<li>Choose a customer, or leave the field empty for somebody unknown. <strong>Time</strong> tries another moment than now.</li>
<li>Enter an amount. <strong>Enter lines</strong> takes article numbers, categories and labels, for rewards and <a href="rules">rules</a> of single products.</li>
<li>Add codes of coupons, and the rewards that the customer wants to buy.</li>
</ol>
<p>The result changes as you type. <strong>Copy link</strong> copies an address with all that you entered.</p>
<h2>Read the result</h2>
<ul>
<li><strong>Price</strong> shows what each discount takes off each line.</li>
<li><strong>Coupons and rewards: why</strong> lists every rule that was checked. A cross tells what is missing.</li>
<li><strong>Points</strong> shows what each earning rule pays for each line.</li>
<li><strong>Afterwards</strong> shows the balance, the level, and what is missing to the next level and reward.</li>
</ul>
<h2>Questions</h2>
<p><strong>Why is a coupon not applied although all rules pass but one?</strong> Of all combinations, the one that takes off most is used. With another one the price is as low or lower.</p>
<p><strong>Who sees this page?</strong> Those who may see <a href="campaigns">campaigns</a>. To choose a customer or enter a code, one must also be allowed to see <a href="customers">customers</a>.</p>
`},B={title:"Web hooks",html:`<p>Web hooks tell your other systems what happens: a purchase, a new customer, a used coupon. You need a developer for them.</p>
<ol>
<li>Press <strong>Add a web hook</strong>, enter the <strong>Address</strong> of your system and choose the events.</li>
<li>Save, and store the secret. It is shown once, and proves that a call comes from Punchcard.</li>
<li>Press <strong>Test</strong>.</li>
</ol>
<h2>Good to know</h2>
<ul>
<li>Calls that fail are repeated for three days, with growing pauses.</li>
<li>A web hook that fails for five days is switched off, and the <a href="overview">overview</a> tells you. Switch it on again, and it goes on with what it missed.</li>
<li><strong>Deliveries</strong> lists each call with its answer. <strong>Send again</strong> repeats one, <strong>Send failed ones again</strong> all that failed.</li>
</ul>
`},j={administrators:t,audit:s,bought:n,"bulk-actions":o,campaigns:c,cashback:r,categories:a,clock:i,customers:h,events:l,imports:g,invitations:d,jobs:p,joining:m,journeys:w,keys:y,languages:f,levels:v,limits:b,mailings:k,messages:T,notifications:W,overview:A,owed:I,"points-of-sale":S,reports:C,roles:P,rules:x,segments:E,sellers:N,settings:Q,"single-sign-on":R,stores:O,transactions:F,transfers:M,"try-it":Y,webhooks:B};export{t as administrators,s as audit,n as bought,o as"bulk-actions",c as campaigns,r as cashback,a as categories,i as clock,h as customers,j as default,l as events,g as imports,d as invitations,p as jobs,m as joining,w as journeys,y as keys,f as languages,v as levels,b as limits,k as mailings,T as messages,W as notifications,A as overview,I as owed,S as"points-of-sale",C as reports,P as roles,x as rules,E as segments,N as sellers,Q as settings,R as"single-sign-on",O as stores,F as transactions,M as transfers,Y as"try-it",B as webhooks};
