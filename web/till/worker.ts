import { serveOffline } from '../ui/worker'

serveOffline('/till')
