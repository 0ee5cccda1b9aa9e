// Short lists that screens choose from. They are empty while they load, and for those who may not see them.
import type { LevelView, PosView, SegmentView } from '../api/types'
import { useQuery } from '../api/client'
import { may } from '../api/session'

export function useLevels(): LevelView[] {
  return useQuery(may('LEVEL') ? '/api/{store}/level' : null, { perPage: 1000 }).data?.levels ?? []
}

export function useSegments(): SegmentView[] {
  return useQuery(may('SEGMENT') ? '/api/{store}/segment' : null, { perPage: 1000 }).data?.segments ?? []
}

// usePointsOfSale reads them only if they are needed.
export function usePointsOfSale(needed = true): PosView[] {
  return useQuery(needed && may('POS') ? '/api/{store}/pos' : null, { perPage: 1000 }).data?.pos ?? []
}
