import { serveOffline } from '../ui/worker'

serveOffline('/me')
