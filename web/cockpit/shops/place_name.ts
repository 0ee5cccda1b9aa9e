// placeName is a point of sale in one line, with its city if there is one.
export function placeName({ name, location }: { name: string; location: { city: string } }): string {
  return [name, location.city].filter(Boolean).join(', ')
}
