#!/usr/bin/env bash
# Replays the calls of the web clients of the older API (3.x), with the code of the store added to their paths, and
# compares the status of each response. The server must have a demonstration program:
#
#     bin/punchcard serve --demo
#     docs/older-clients.sh http://127.0.0.1:8080
#
# It prints one line for each call, and fails if a response is another one.
set -u -o pipefail
base=${1:-http://127.0.0.1:8080}
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
answer=$files/answer picture=$files/picture terms=$files/terms customers=$files/customers receipts=$files/receipts
transfers=$files/transfers
token='' failed=0

# send WANT METHOD PATH CURL-ARGUMENTS... makes a call as the owner of $token. WANT is a status, or 2xx.
send() {
  local want=$1 method=$2 path=$3 status
  shift 3
  [ -z "$token" ] || set -- -H "Authorization: Bearer $token" "$@"
  status=$(curl -sg -X "$method" -o "$answer" -w '%{http_code}' "$@" "$base/api/$path")
  case $status in
  "$want" | "${want/2xx/2}"[0-9][0-9]) echo "$status $method /api/$path" ;;
  *)
    failed=1
    echo "$status in place of $want: $method /api/$path: $(head -c 600 "$answer")"
    ;;
  esac
}

# ok METHOD PATH [BODY] expects success, and refused STATUS METHOD PATH [BODY] a documented refusal.
ok() { call 2xx "$@"; }
refused() { call "$@"; }
call() {
  if [ $# -gt 3 ]; then
    send "$1" "$2" "$3" -H 'Content-Type: application/json;charset=UTF-8' --data-binary "$4"
  else
    send "$1" "$2" "$3"
  fi
}

# list NAME PATH expects an object whose first member is the list NAME, which is what the clients read.
list() {
  ok GET "$2"
  grep -q "^{\"$1\":\[" "$answer" || { failed=1 && echo "no list $1 comes first: $(head -c 200 "$answer")"; }
}

# has NAME... expects members in the last response.
has() {
  for name in "$@"; do
    grep -q "\"$name\":" "$answer" || { failed=1 && echo "no $name in $(head -c 600 "$answer")"; }
  done
}

# upload PATH FIELD FILE TYPE sends a file.
upload() { send 2xx POST "$1" -F "$2=@$3;type=$4;filename=file"; }

# delete PATH sends the body that browsers send with a DELETE.
delete() { send 2xx DELETE "$1" -H 'Content-Type: text/plain' --data-binary '{}'; }

# take NAME prints the first member of the name in the last response.
take() { grep -o "\"$1\":\"[^\"]*\"" "$answer" | head -1 | cut -d'"' -f4; }

# log_in PATH USERNAME PASSWORD sets token and, from the token, id.
log_in() {
  token=''
  ok POST "$1/login_check" "{\"_username\":\"$2\",\"_password\":\"$3\"}"
  refresh=$(take refresh_token) token=$(take token)
  local claims
  claims=$(cut -d. -f2 <<<"$token" | tr '_-' '/+')
  id=$(base64 -d 2>/dev/null <<<"$claims$(printf '%*s' $(((4 - ${#claims} % 4) % 4)) '' | tr ' ' '=')" | tr ',' '\n' |
    sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
}

# What every client asks when it begins, without a token.
begin() {
  token=''
  ok GET translations
  send 404 GET $s/settings/photo/logo
  for type in language timezone country promotedEvents availableCustomerStatuses availableFrontendTranslations \
    earningRuleLimitPeriod referralEvents referralTypes availableAccountActivationMethods availableMarketingVendors \
    availablePointExpireAfter deliveryStatus; do
    ok GET $s/settings/choices/$type
    has choices
  done
  ok GET $s/settings/choices/smsGatewayConfig
  has fields
  ok GET $s/settings/activation-method
  has method
}

base64 -d >"$picture" <<'END'
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
END
printf '%%PDF-1.4\n%%%%EOF\n' >"$terms"
cat >"$customers" <<'END'
<customers><customer><active>true</active><firstName>Kai</firstName><lastName>Moe</lastName><gender>male</gender>
<email>kai@example.org</email><agreement1>true</agreement1></customer></customers>
END
cat >"$receipts" <<'END'
<transactions><transaction><documentNumber>I-1</documentNumber><documentType>sell</documentType>
<purchaseDate>2031-04-22 10:00</purchaseDate><customer><name>Nobody</name></customer><items><item><sku><code>TEA</code></sku>
<name>Tea</name><quantity>1</quantity><grossValue>12.50</grossValue><category>drinks</category></item></items>
</transaction></transactions>
END
cat >"$transfers" <<'END'
<pointsTransfers><pointsTransfer><customerEmail>kai@example.org</customerEmail><points>5</points><type>adding</type>
</pointsTransfer></pointsTransfers>
END
s=DEFAULT
page='page=1&perPage=10'

echo '# The cockpit: log-in, overview, settings'
begin
refused 401 POST admin/login_check '{"_username":"admin","_password":"wrong"}'
log_in admin admin open
ok POST token/refresh "{\"refresh_token\":\"$refresh\"}"
token=$(take token)
ok GET $s/admin/analytics/points
has totalPointsSpent
ok GET $s/admin/analytics/transactions
has total amount currency
ok GET $s/admin/analytics/customers
has total
ok GET $s/admin/analytics/referrals
has total totalCompleted totalRegistered
ok GET $s/customer/registrations/daily
ok GET $s/settings
has accountActivationMethod
ok POST $s/settings '{"settings":{"currency":"eur","timezone":"Europe/Warsaw","programName":"Corner shop",
"programPointsSingular":"point","programPointsPlural":"points","returns":true,"allowCustomersProfileEdits":true,
"tierAssignType":"transactions","excludeDeliveryCostsFromTierAssignment":false,"levelDowngradeMode":"none",
"pointsDaysExpiryAfter":"after_x_days","pointsDaysActiveCount":30,"allTimeNotLocked":true,
"expirePointsNotificationDays":10,"expireCouponsNotificationDays":10,"expireLevelsNotificationDays":10,
"customerStatusesEarning":["active"],"customerStatusesSpending":["active"],"accountActivationMethod":"email",
"preferredCommunicationMethod":"email",
"marketingVendorsValue":"none","customersIdentificationPriority":[{"field":"email","priority":1},
{"field":"loyaltyCardNumber","priority":2},{"field":"phone","priority":3}],"webhooks":false,"uriWebhooks":"",
"webhookHeaderName":"","webhookHeaderValue":"","pushySecretKey":"","accentColor":"","cssTemplate":""}}'
has settings
for name in small-logo client-cockpit-logo-big hero-image; do
  upload $s/settings/photo/$name 'photo[file]' "$picture" image/png
  ok GET $s/settings/photo/$name
  delete $s/settings/photo/$name
done
upload $s/settings/photo/logo 'photo[file]' "$picture" image/png
ok GET $s/settings/photo/logo
delete $s/settings/logo
upload $s/settings/conditions-file 'conditions[file]' "$terms" application/pdf
ok GET $s/settings/conditions-file
ok GET $s/settings/conditions-url
has url
send 2xx GET ../terms-conditions
delete $s/settings/conditions-file

list emails "$s/settings/emails?$page"
has subject
email=$(take id)
ok GET "$s/settings/emails/$email"
has entity additional
# A text that holds a link, token, code or password needs the password of the administrator, which older clients lack.
refused 400 PUT "$s/settings/emails/$email" '{"email":{"key":"x","subject":"Hello",
"content":"<p>Hello {{ first_name }}</p>","sender_name":"Shop","sender_email":"shop@example.com","receiver_email":""}}'
ok PUT "$s/settings/emails/$email" '{"email":{"key":"x","subject":"Hello","content":"<p>Hello {{ first_name }}</p>",
"sender_name":"Shop","sender_email":"shop@example.com","receiver_email":"","currentPassword":"open"}}'

echo '# The cockpit: languages, roles, administrators'
list translations "admin/translations?$page"
ok POST admin/translations '{"translation":{"name":"Norsk","code":"nb","order":"2","default":0,"content":"{}"}}'
ok GET admin/translations/nb
ok PUT admin/translations/nb '{"translation":{"name":"Norsk","code":"nb","order":"3","default":0,"content":"{}"}}'
delete admin/translations/nb
ok GET admin/acl/role
has roles total
ok GET admin/acl/accesses
ok GET admin/acl/resources
ok POST admin/acl/role '{"role":{"name":"Helpers","permissions":[{"access":"VIEW","resource":"CUSTOMER"}]}}'
ok GET admin/acl/role
role=$(grep -o '"id":[^,]*,"name":"Helpers"' "$answer" | head -1 | tr -d '"' | sed 's/id:\([^,]*\),.*/\1/')
ok GET "admin/acl/role/$role"
ok PUT "admin/acl/role/$role" '{"role":{"name":"Helpers","permissions":[{"access":"VIEW","resource":"LEVEL"}]}}'
delete "admin/acl/role/$role"
list users "admin?$page&sort=lastName&direction=ASC"
ok POST admin/data '{"admin":{"firstName":"Ada","lastName":"Moe","email":"ada@example.com","phone":"",
"roles":[],"plainPassword":"Correct-Horse-7","external":0,"isActive":1}}'
ada=$(take adminId)
ok GET "admin/data/$ada"
has roles
ok PUT "admin/data/$ada" '{"admin":{"firstName":"Ada","lastName":"Berg","email":"ada@example.com","external":0,
"isActive":1,"roles":[]}}'
ok GET admin/data
ok PUT admin/data '{"admin":{"firstName":"Ada","lastName":"Moe","email":"admin@example.com","phone":""}}'
ok POST admin/password/change '{"currentPassword":"open","plainPassword":"Correct-Horse-8"}'
log_in admin admin Correct-Horse-8

echo '# The cockpit: levels, points of sale, sellers, categories, segments'
list levels "$s/level?$page"
ok GET "$s/level?perPage=-1"
ok POST $s/level/create '{"level":{"conditionValue":"5","minOrder":"","active":true,
"reward":{"name":"Six","value":"6","code":"SIX"},"specialRewards":[{"active":true,"code":"MAY","name":"May","value":"3",
"startAt":"2031-05-01","endAt":"2031-05-31"}],"translations":{"en":{"name":"Copper","description":"Nearly there"}}}}'
level=$(take id)
ok GET "$s/level/$level"
has id reward specialRewards translations
ok PUT "$s/level/$level" '{"level":{"conditionValue":"5","active":true,"reward":{"name":"Six","value":"6","code":"SIX"},
"specialRewards":[],"translations":{"en":{"name":"Copper","description":""}}}}'
ok POST "$s/level/$level/activate" '{"active":true}'
list customers "$s/level/$level/customers"
ok GET "$s/csv/level/$level"
upload "$s/level/$level/photo" 'photo[file]' "$picture" image/png
ok GET "$s/level/$level/photo"
delete "$s/level/$level/photo"
ok POST $s/pos '{"pos":{"name":"Quay","identifier":"quay","description":"","location":{"street":"Kai","address1":"1",
"address2":"","postal":"0150","city":"Oslo","province":"Oslo","country":"NO","lat":"59.9","long":"10.7"}}}'
pos=$(take posId)
list pos "$s/pos?$page"
ok GET "$s/pos/$pos"
has location geoPoint transactionsAmount transactionsCount currency
ok PUT "$s/pos/$pos" '{"pos":{"name":"Quay","identifier":"quay","location":{"street":"Kai","address1":"1",
"postal":"0150","city":"Oslo","province":"Oslo","country":"NO"}}}'
ok POST $s/seller/register "{\"seller\":{\"firstName\":\"Sam\",\"lastName\":\"Dale\",\"email\":\"sam@example.com\",
\"phone\":\"+4790000099\",\"plainPassword\":\"Correct-Horse-7\",\"posId\":\"$pos\",\"active\":1,\"allowPointTransfer\":1}}"
seller=$(take sellerId)
list sellers "$s/seller?$page&email=sam%2540example.com"
ok GET "$s/seller/$seller"
has posName posCity
ok PUT "$s/seller/$seller" "{\"seller\":{\"firstName\":\"Sam\",\"lastName\":\"Dale\",\"email\":\"sam@example.com\",
\"phone\":\"+4790000099\",\"posId\":\"$pos\",\"active\":1,\"allowPointTransfer\":1}}"
ok POST "$s/seller/$seller/deactivate" '{}'
ok POST "$s/seller/$seller/activate" '{}'
ok POST $s/campaignCategory '{"campaign_category":{"active":true,"sortOrder":"1","translations":{"en":{"name":"Drinks"}}}}'
category=$(take campaignCategoryId)
list categories "$s/campaignCategory?$page&sort=order"
list categories "$s/campaignCategory?perPage=1000"
ok GET "$s/campaignCategory/$category"
ok PUT "$s/campaignCategory/$category" '{"campaign_category":{"active":true,"sortOrder":"2",
"translations":{"en":{"name":"Drinks"}}}}'
ok POST "$s/campaignCategory/$category/active" '{"active":true}'
ok POST $s/segment "{\"segment\":{\"name\":\"Quay\",\"description\":\"\",\"active\":1,\"parts\":[{\"criteria\":[
{\"type\":\"bought_in_pos\",\"posIds\":[\"$pos\"]},{\"type\":\"transaction_count\",\"min\":\"1\",\"max\":\"9\"},
{\"type\":\"customer_with_labels_values\",\"labels\":[{\"key\":\"drink\",\"value\":\"tea\"}]},
{\"type\":\"purchase_period\",\"fromDate\":\"2031-01-01T00:00:00.000Z\",\"toDate\":\"2031-12-31T00:00:00.000Z\"}]}]}}"
segment=$(take segmentId)
list segments "$s/segment?$page&active=true"
list segments "$s/segment?active=true&perPage=1000"
ok GET "$s/segment/$segment"
ok PUT "$s/segment/$segment" '{"segment":{"name":"Quay","active":1,"parts":[{"criteria":[{"type":"anniversary",
"anniversaryType":"birthday","days":"3","posIds":[],"skuIds":[],"labels":[{"key":"","value":""}],"min":""}]}]}}'
list customers "$s/segment/$segment/customers?$page"
ok GET "$s/csv/segment/$segment"
ok POST "$s/segment/$segment/deactivate" '{}'
ok POST "$s/segment/$segment/activate" '{}'

echo '# The cockpit: customers, receipts, points'
ok POST $s/customer/register "{\"customer\":{\"firstName\":\"Ida\",\"lastName\":\"Woźniak\",\"email\":\"ida@example.com\",
\"phone\":\"+4790000077\",\"gender\":\"female\",\"birthDate\":\"1990-07-03\",\"labels\":\"drink:tea;cup:blue\",
\"agreement1\":true,\"posId\":\"$pos\",\"sellerId\":\"$seller\",\"address\":{\"street\":\"Kai\",\"city\":\"Oslo\"}}}"
customer=$(take customerId)
list customers "$s/customer?$page&sort=createdAt&direction=DESC&lastName=Wo%25C5%25BAniak&email=ida%2540example.com"
has currency transactionsAmount averageTransactionAmount transactionsCount
ok GET "$s/customer?emailOrPhone=ida%40&silenceQuery=true"
ok GET "$s/customer/$customer"
has levelId posId sellerId agreement1 address labels segments
ok PUT "$s/customer/$customer" '{"customer":{"firstName":"Ida","lastName":"Woźniak","email":"ida@example.com",
"phone":"+4790000077","birthDate":null,"gender":"female","agreement1":true,"address":{},"company":{}}}'
ok GET "$s/admin/customer/$customer/status"
has points usedPoints expiredPoints lockedPoints transactionsAmount currency
ok POST "$s/customer/$customer/level" "{\"levelId\":\"$level\"}"
ok POST "$s/customer/$customer/remove-manually-level" '{}'
ok POST "$s/customer/$customer/pos" "{\"posId\":\"$pos\"}"
ok POST "$s/admin/customer/$customer/deactivate" '{}'
ok POST "$s/admin/customer/$customer/activate" '{}'
upload $s/admin/customer/import 'file[file]' "$customers" text/xml
has totalProcessed totalSuccess totalFailed
upload $s/admin/transaction/import 'file[file]' "$receipts" text/xml
upload $s/points/transfer/import 'file[file]' "$transfers" text/xml
list invitations "$s/invitations?$page&status=invited"
has total
ok POST $s/points/transfer/add "{\"transfer\":{\"customer\":\"$customer\",\"points\":\"100\",\"comment\":\"\"}}"
ok POST $s/points/transfer/spend "{\"transfer\":{\"customer\":\"$customer\",\"points\":\"1\",\"comment\":\"\"}}"
refused 400 POST $s/points/transfer/spend "{\"transfer\":{\"customer\":\"$customer\",\"points\":\"9999\"}}"
list transfers "$s/points/transfer?$page&customerId=$customer&customerLastName=Wo%25C5%25BA"
has pointsTransferId customerFirstName state type value issuer
ok POST $s/points/transfer/add "{\"transfer\":{\"customer\":\"$customer\",\"points\":\"2\",\"comment\":\"\"}}"
ok POST "$s/points/transfer/$(take pointsTransferId)/cancel" '{}'
ok POST $s/transaction "{\"transaction\":{\"transactionData\":{\"documentNumber\":\"R-1\",\"documentType\":\"sell\",
\"purchaseDate\":\"2031-04-30\"},\"items\":[{\"sku\":{\"code\":\"TEA\"},\"name\":\"Tea\",\"quantity\":1,\"grossValue\":40,
\"category\":\"drinks\"}],\"pos\":\"$pos\",\"customerData\":{\"name\":\"Nobody\"}}}"
transaction=$(take transactionId)
list transactions "$s/transaction?$page&sort=purchaseDate&documentNumber=R-1"
has posName items customerData
ok POST $s/admin/transaction/customer/assign "{\"assign\":{\"transactionDocumentNumber\":\"R-1\",
\"customerId\":\"$customer\"}}"
ok POST $s/admin/transaction/labels "{\"transaction_labels\":{\"transactionId\":\"$transaction\",
\"labels\":[{\"key\":\"shop\",\"value\":\"quay\"}]}}"

echo '# The cockpit: earning rules, campaigns'
ok POST $s/earningRule '{"earningRule":{"type":"points","name":"One for one","description":"x","active":true,
"allTimeActive":true,"target":"level","levels":["'"$level"'"],"pointValue":"1","excludedSKUs":"A;B",
"excludedLabels":"a:1;b:2"}}'
rule=$(take earningRuleId)
list earningRules "$s/earningRule?$page"
ok GET "$s/earningRule?type=qrcode&paginated=0"
ok GET "$s/earningRule/$rule"
ok PUT "$s/earningRule/$rule" '{"earningRule":{"name":"One for one","description":"x","active":true,
"allTimeActive":true,"target":"level","levels":["'"$level"'"],"pointValue":"2"}}'
ok POST "$s/earningRule/$rule/activate" '{"active":true}'
upload "$s/earningRule/$rule/photo" 'photo[file]' "$picture" image/png
ok GET "$s/earningRule/$rule/photo"
delete "$s/earningRule/$rule/photo"
ok GET "$s/level?perPage=1000"
levels=$(grep -o '"id":"[0-9a-f-]*"' "$answer" | sort -u | cut -d'"' -f4 | sed 's/.*/"&"/' | paste -sd,)
ok POST $s/campaign '{"campaign":{"reward":"discount_code","active":true,"costInPoints":"5","levels":['"$levels"'],
"segments":[],"target":"level","categories":["'"$category"'"],"coupons":{"0":"Q-1","1":"Q-2","2":"Q-3"},
"singleCoupon":0,"unlimited":0,"limit":"3","limitPerUser":"3","campaignActivity":{"allTimeActive":true,
"activeFrom":"2031-05-01T12:00:00+02:00","activeTo":"2031-05-01T12:00:00+02:00"},
"campaignVisibility":{"allTimeVisible":true,"visibleFrom":"2031-05-01T12:00:00+02:00",
"visibleTo":"2031-05-01T12:00:00+02:00"},"labels":"season:spring;shop:quay","daysInactive":"0","daysValid":"9",
"pushNotificationText":"Come and get it","featured":false,"public":true,
"translations":{"en":{"name":"Tea for two","shortDescription":"Tea"}}}}'
campaign=$(take campaignId)
list campaigns "$s/campaign?$page&name=Tea%2520for&active=1"
has usersWhoUsedThisCampaignCount coupons visibleForCustomersCount campaignActivity
ok GET "$s/campaign/$campaign"
has campaignVisibility levelNames segmentNames categoryNames labels photos translations
ok PUT "$s/campaign/$campaign" '{"campaign":{"reward":"discount_code","active":true,"costInPoints":"5",
"levels":['"$levels"'],"target":"level","categories":["'"$category"'"],"coupons":["Q-1","Q-2","Q-3"],"singleCoupon":0,
"unlimited":0,"limit":"3","limitPerUser":"3","campaignActivity":{"allTimeActive":true,
"activeFrom":"2031-05-01T12:00:00+02:00","activeTo":"2031-05-01T12:00:00+02:00"},"photos":[],
"campaignVisibility":{"allTimeVisible":true},"daysInactive":"0","daysValid":"9","pushNotificationText":"Come",
"public":true,"translations":{"en":{"name":"Tea for two"}}}}'
ok POST "$s/campaign/$campaign/inactive" '{}'
ok POST "$s/campaign/$campaign/active" '{}'
upload "$s/campaign/$campaign/photo" 'photo[file]' "$picture" image/png
ok GET "$s/campaign/$campaign"
photo=$(take photoId)
ok GET "$s/campaign/$campaign/photo/$photo"
delete "$s/campaign/$campaign/photo/$photo"
upload "$s/campaign/$campaign/brand_icon" 'brand_icon[file]' "$picture" image/png
ok GET "$s/campaign/$campaign/brand_icon"
delete "$s/campaign/$campaign/brand_icon"
list customers "$s/campaign/$campaign/customers/visible?$page"
ok GET $s/campaign/active
ok POST "$s/admin/customer/$customer/campaign/$campaign/buy" '{"withoutPoints":false,"transactionId":null,"quantity":null}'
coupon=$(take id)
ok POST "$s/admin/customer/$customer/campaign/$campaign/buy" '{"withoutPoints":"1","quantity":"1"}'
ok GET "$s/admin/customer/$customer/campaign/available?$page"
list campaigns "$s/admin/customer/$customer/campaign/bought?includeDetails=true&$page"
has canBeUsed coupon activeTo purchaseAt
ok POST $s/admin/campaign/coupons/mark_as_used "{\"coupons\":[{\"customerId\":\"$customer\",\"used\":true,
\"campaignId\":{\"campaignId\":\"$campaign\"},\"code\":\"Q-1\",\"couponId\":\"$coupon\"}]}"
ok GET "$s/campaign/bought?$page&purchasedAtFrom=2031-01-01&used=1&deliveryStatus="
ok GET "$s/campaign/bought/export/csv?purchasedAtFrom=2031-01-01"
ok PUT "$s/admin/customer/$customer/bought/coupon/$coupon/changeDeliveryStatus" '{"deliveryStatus":{"status":"shipped"}}'

refused 405 GET $s/admin/campaign/coupons/mark_as_used

echo '# The app of customers'
begin
log_in customer user@example.com loyalty
me=$id
ok GET "$s/customer/$me/status"
has firstName levelName points transactionsAmount transactionsAmountToNextLevel currency
list campaigns "$s/customer/campaign/available?page=1&perPage=6"
refused 405 GET "$s/campaign/$campaign/photo" # there is no picture, for the client
ok POST "$s/customer/campaign/$campaign/buy" '{}'
has coupons
coupon=$(take id) code=$(take code)
list campaigns "$s/customer/campaign/bought?includeDetails=true&$page"
ok POST $s/customer/campaign/coupons/mark_as_used "{\"coupons\":[{\"used\":true,\"campaignId\":\"$campaign\",
\"code\":\"$code\",\"couponId\":\"$coupon\"}]}"
refused 404 POST "$s/customer/campaign/$rule/buy" '{}'
ok GET "$s/customer/$me"
ok GET $s/settings/public
own="\"firstName\":\"Una\",\"lastName\":\"Moe\",\"email\":\"user@example.com\",\"agreement1\":true,\"birthDate\":null"
ok PUT "$s/customer/$me" "{\"customer\":{$own,\"levelId\":\"\",\"posId\":\"\",\"sellerId\":null,\"address\":{}}}"
refused 400 PUT "$s/customer/$me" "{\"customer\":{$own,\"sellerId\":\"$seller\"}}"
list transactions "$s/customer/transaction?$page"
list transfers "$s/customer/points/transfer?$page&sort=createdAt"
ok GET $s/customer/earningRule
has earningRules currency
refused 404 GET "$s/earningRule/$rule/photo"
ok POST $s/invitations/invite '{"invitation":{"recipientEmail":"friend@example.com"}}'
ok POST $s/customer/password/change '{"currentPassword":"loyalty","plainPassword":"Correct-Horse-9"}'
token=''
ok POST $s/customer/self_register '{"customer":{"firstName":"Ole","lastName":"Berg","email":"ole@example.com","phone":"",
"gender":"not_disclosed","birthDate":"2031-05-01","plainPassword":"Correct-Horse-7","agreement1":true}}'

ok POST password/reset/request '{"username":"nobody@example.com"}'
ok POST $s/password/reset/request '{"username":"seller@example.com"}'
ok POST $s/customer/password/reset/request '{"username":"user@example.com"}'
refused 404 POST password/reset '{"reset":{"plainPassword":"Correct-Horse-7"},"token":"none"}'
refused 404 POST $s/password/reset '{"reset":{"plainPassword":"Correct-Horse-7"},"token":"none"}'
ok POST customer/password/reset/request '{"username":"user@example.com"}'
ok POST seller/password/reset/request '{"username":"seller@example.com"}'
refused 404 POST $s/customer/activate/none '{}'
refused 400 POST $s/customer/activate-sms/000000 '{}'
ok POST $s/customer/customer-phone/send-sms-code '{"phone":"+4790000077"}'

echo '# The till'
begin
log_in seller sam@example.com Correct-Horse-7
ok GET "$s/seller/$id"
has allowPointTransfer
refused 403 GET "$s/seller/$me"
ok POST $s/pos/search/customer '{"search":{"lastName":"Woźniak","phone":""}}'
has customers
refused 400 POST $s/pos/search/customer '{"search":{}}'
ok POST $s/seller/customer/register '{"customer":{"firstName":"Eva","lastName":"Dahl","email":"eva@example.com",
"agreement1":true,"levelId":"'"$level"'","posId":"'"$pos"'"}}'
eva=$(take customerId)
ok GET "$s/customer/$eva"
ok PUT "$s/customer/$eva" '{"customer":{"firstName":"Eva","lastName":"Dahl","email":"eva@example.com","agreement1":true}}'
ok POST "$s/customer/$eva/level" "{\"levelId\":\"$level\"}"
ok POST "$s/customer/$eva/pos" "{\"posId\":\"$pos\"}"
ok GET "$s/seller/customer/$eva/status"
refused 400 POST "$s/seller/customer/$eva/send-sms-code" '{}'
list levels $s/seller/level
ok GET "$s/seller/level/$level"
list pos $s/seller/pos
ok GET "$s/seller/pos/$pos"
list transactions "$s/seller/transaction?customerId=$eva"
list transfers "$s/seller/points/transfer?customerId=$eva"
list campaigns "$s/seller/customer/$customer/campaign/available?$page"
list campaigns "$s/seller/customer/$customer/campaign/bought?includeDetails=true&$page"
ok POST $s/pos/points/transfer/add "{\"transfer\":{\"customer\":\"$customer\",\"points\":\"3\",\"comment\":\"\"}}"
ok POST $s/pos/points/transfer/spend "{\"transfer\":{\"customer\":\"$customer\",\"points\":\"1\",\"comment\":\"\"}}"
list campaigns "$s/seller/campaign?$page"
ok GET "$s/seller/campaign/$campaign"
list earningRules "$s/seller/earningRule?$page"
list transactions $s/transaction
refused 400 POST $s/pos/transaction/customer/assign '{"assign":{"transactionDocumentNumber":"R-1",
"customerPhoneNumber":"+4790000001"}}'
ok GET $s/seller/transaction/R-1
ok POST "$s/seller/customer/$eva/deactivate" '{}'

echo '# The cockpit: the audit log, and what is deleted last'
log_in admin admin Correct-Horse-8
list logs "audit/log?$page&sort=createdAt&direction=DESC&createdAtFrom=2031-04-30T22:00:00.000Z"
ok POST "$s/seller/$seller/delete" '{}'
delete "$s/segment/$segment"

exit $failed
