import { url } from '../../api/client'
import { latest } from '../../ui/upload'

// pictureOf returns the address of the picture of a level.
export const pictureOf = (level: string): string => latest(url('/api/{store}/level/{level}/photo', { level }))
