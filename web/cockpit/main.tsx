import '../ui/base.css'
import '../vendor/uplot/dist/uPlot.min.css'
import '../ui/chart.css'
import './cockpit.css'
import './campaigns/campaigns.css'
import './overview/overview.css'
import './shops/shops.css'
import { startApp } from '../ui/start'
import { SignIn } from '../ui/signin'
import { Frame } from './frame'
import { routes } from './routes'

void startApp({ app: 'cockpit', base: '', routes, frame: Frame, signIn: SignIn })
