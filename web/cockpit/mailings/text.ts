// The texts of mailings and journeys.

// kinds are the kinds of blocks, in the order in which they are offered.
export const kinds = ['heading', 'text', 'button', 'picture', 'reward', 'coupon', 'divider', 'space'] as const

type Kind = (typeof kinds)[number]

// Block is a part of an e-mail.
export interface Block {
  kind: Kind
  text?: string
  code?: string
  link?: string
  picture?: string
  campaignId?: string
}

export interface MailingText {
  subject?: string
  content?: string
  short?: string
  blocks?: Block[]
}

// Said holds the fields that the forms of mailings and journeys share.
export interface Said {
  channels: string[]
  texts: Record<string, MailingText>
  link: string
}
