import { installStarter } from './start.ts'

installStarter()
