import { tIf } from '../../i18n/i18n'

// channels are the ways on which messages reach people, in the order in which they are shown.
export const channels = ['email', 'sms', 'push', 'inbox'] as const

export const channelName = (channel: string): string => tIf(`messages.channel.${channel}`, channel)

// eventName says what a message reports, in the user's language if it is an event of this version.
export const eventName = (event: string, label = event): string => tIf(`messages.event.${event.replace(/^oloy\./, '')}`, label)

// placeholderName says what takes the place of a placeholder.
export const placeholderName = (name: string): string => tIf(`messages.placeholder.${name}`, name)

// nameOf returns the name in a placeholder, such as first_name of {{ first_name }}.
export const nameOf = (placeholder: string): string => placeholder.replace(/[{}\s]/g, '')
