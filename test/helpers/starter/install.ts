import { installResolve } from '../resolve-imports.ts'
import { installStarter } from './start.ts'

installResolve()
installStarter()
