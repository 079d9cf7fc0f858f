/** The Python script that imports rates, and the Go server of the label printer. */

export const scripts = {
  'scripts/rates.py': `"""Rates of the carriers, as they send them."""
import csv


def load_rates(path, currency="EUR"):
    with open(path, newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["currency"] == currency]
`,
  'scripts/import_rates.py': `import sys

from rates import load_rates

if __name__ == "__main__":
    for row in load_rates(sys.argv[1], currency=sys.argv[2]):
        print(row["zone"], row["cents"])
`,
  'scripts/nightly.py': `from rates import load_rates


def swiss_zones(path):
    return {row["zone"] for row in load_rates(path, currency="CHF")}
`,
}

export const labels = {
  'tools/labels/go.mod': 'module parcel.example/labels\n\ngo 1.24\n',
  'tools/labels/printer.go': `package main

import (
	"fmt"
	"io"
	"time"
)

// Label is what goes on a parcel.
type Label struct {
	ID   string
	Zone string
}

func write(printer io.Writer, label Label) error {
	_, err := fmt.Fprintf(printer, "%s %s\\n", label.ID, label.Zone)
	return err
}

func warmUp() {
	time.Sleep(2 * time.Second)
}
`,
}

export const scriptsByVolume = {
  'scripts/rates.py': `"""Rates of the carriers, as they send them."""
import csv


def load_rates(path, unit="EUR"):
    with open(path, newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["currency"] == unit]


def by_zone(rows, zones={}):
    for row in rows:
        zones[row["zone"]] = int(row["cents"])
    return zones
`,
  'scripts/import_rates.py': scripts['scripts/import_rates.py'].replace('currency=sys', 'unit=sys'),
  'tools/labels/printer.go': labels['tools/labels/printer.go']
    .replace('	Zone string\n', '	Zone string\n	Fold bool\n')
    .replace('2 * time.Second', '3'),
}
