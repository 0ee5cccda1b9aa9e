// The customers whom another screen hands over to a new mailing.
let handed: string[] = []

export function writeTo(customers: string[]): void {
  handed = customers
}

// takeChosen returns the customers once.
export function takeChosen(): string[] {
  const taken = handed
  handed = []
  return taken
}
