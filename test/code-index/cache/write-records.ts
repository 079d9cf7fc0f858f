/**
 * A process that writes records into a pack until it is done or killed. Usage: node write-records.ts FOLDER FIRST COUNT
 * Prints what its records say of themselves.
 */
import { addRecords, recordsIn } from './kept-records.ts'

const [, , folder = '', first = '0', count = '1'] = process.argv
const records = recordsIn(folder)
// The owner may kill by this.
const found = addRecords(records, Number(first), Number(count), () => process.stderr.write('.'))
process.stdout.write(JSON.stringify({ found, notKept: records.notKept }))
records.close()
