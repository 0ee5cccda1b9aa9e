import type { CreateTemplateForm, TemplateEventView } from '../../api/types'
import { t, tIf } from '../../i18n/i18n'

export type ChannelCode = CreateTemplateForm['message']['channel']
export type EventName = CreateTemplateForm['message']['event']

// MessageEvent is an event of this version.
export type MessageEvent = Omit<TemplateEventView, 'value' | 'channels'> & { value: EventName; channels: ChannelCode[] }

// channels are the ways on which messages reach people, in the order in which they are shown.
export const channels = ['email', 'sms', 'push', 'inbox'] as const

export const channelName = (channel: string): string => tIf(`messages.channel.${channel}`, channel)

// eventName says what a message reports, in the user's language if it is an event of this version.
export const eventName = (event: string, label = event): string =>
  tIf(`messages.event.${event.replace(/^oloy\./, '')}`, label)

// placeholderName says what takes the place of a placeholder.
export const placeholderName = (name: string): string => tIf(`messages.placeholder.${name}`, name)

// mailingPlaceholders are those of every mailing and journey.
export const mailingPlaceholders = ['first_name', 'last_name', 'points', 'level_name', 'program_name', 'link'] as const

// placeholdersText lists placeholders as they are written into a text, each with what takes its place.
export const placeholdersText = (names: readonly string[]): string =>
  t('mailings.placeholders', { names: names.map((name) => `{{ ${name} }} (${placeholderName(name)})`).join(', ') })

// nameOf returns the name in a placeholder, such as first_name of {{ first_name }}.
export const nameOf = (placeholder: string): string => placeholder.replace(/[{}\s]/g, '')

export const stateName = (state: string): string => tIf(`messages.state.${state}`, state)

// reasons are causes that the server knows, by a part of its text.
const reasons: [RegExp, string][] = [
  [/public URL/i, 'noUrl'],
  [/its channel did not work/, 'noChannel'],
  [/template is switched off/, 'textOff'],
  [/no reason for it|customer was deleted/, 'pointless'],
  [/agree/, 'noConsent'],
  [/address is (not valid|undeliverable)|^5\d\d.*\b5\.(1\.([1236]|10)|2\.1)\b/, 'badAddress'],
  [/limit of an hour/, 'limit'],
  [/could not be sent within/, 'expired'],
  [/certificate|tls:|STARTTLS/i, 'insecure'],
  [/^53[045]|auth/i, 'login'],
  [/connecting|connection re(fused|set)|no answer in time|host is not known/, 'unreachable'],
]

// reasonText says in the user's language why a message was not taken. The text of the server is added to a cause that
// is not known here.
export function reasonText(status: number | undefined, error: string | undefined): string {
  const text = [status || '', error].filter(Boolean).join(' ')
  const known = reasons.find(([part]) => part.test(text))
  return known ? tIf(`messages.reason.${known[1]}`, text) : text && t('messages.reason.other', { error: text })
}

// reasonOf says why a message was not sent, or not yet.
export function reasonOf(m: { state: string; lastStatus?: number; lastError?: string }): string {
  return m.state === 'sent' || !m.lastError ? '' : reasonText(m.lastStatus, m.lastError)
}
