/** The manifest of each home: what it is and which packages it needs, as its ecosystem writes that. */
import type { Home } from './scene.ts'

type Need = readonly [home: Home, name: string, range: string]

export function manifests(
  home: Home,
  needs: readonly Need[],
  goModule: string,
): [path: string, text: string][] {
  const rows = (row: (name: string, range: string) => string) =>
    needs.map(([, name, range]) => row(name, range))
  const object = (more: Record<string, string>) => ({
    ...more,
    ...Object.fromEntries(needs.map(([, name, range]) => [name, range])),
  })
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  switch (home) {
    case 'web':
    case 'orders':
      return [
        ['package.json', json({ name: home, private: true, dependencies: object({ axios: '^1.7.0' }) })],
      ]
    case 'pricing':
      return [
        [
          'requirements.txt',
          ['requests==2.32.3', ...rows((name, range) => `${name}${range}`), ''].join('\n'),
        ],
      ]
    case 'reporting':
      return [
        [
          'pyproject.toml',
          `[project]\nname = "reporting"\nversion = "1.0.0"\ndependencies = [\n${rows((name, range) => `    "${name}${range}",\n`).join('')}    "httpx>=0.27",\n]\n`,
        ],
      ]
    case 'edge':
      return [
        [
          'go.mod',
          `module ${goModule}\n\ngo 1.23\n\nrequire (\n${rows((name, range) => `\t${name} ${range}\n`).join('')})\n`,
        ],
      ]
    case 'risk':
      return [
        [
          'Cargo.toml',
          `[package]\nname = "risk"\nversion = "0.4.0"\nedition = "2021"\n\n[dependencies]\n${rows((name, range) => `${name} = "${range}"\n`).join('')}serde = "1"\n`,
        ],
      ]
    case 'ledger':
      return [
        [
          'pom.xml',
          `<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>org.ledger</groupId>\n  <artifactId>ledger</artifactId>\n  <version>1.0.0</version>\n  <dependencies>\n${rows((name, range) => `    <dependency>\n      <groupId>${name.split(':')[0]}</groupId>\n      <artifactId>${name.split(':')[1]}</artifactId>\n      <version>${range}</version>\n    </dependency>\n`).join('')}  </dependencies>\n</project>\n`,
        ],
      ]
    case 'desk':
      return [
        [
          'Desk/Desk.csproj',
          `<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n${rows((name, range) => `    <PackageReference Include="${name}" Version="${range}" />\n`).join('')}  </ItemGroup>\n</Project>\n`,
        ],
      ]
    case 'admin':
      return [
        [
          'Gemfile',
          `source 'https://rubygems.org'\n\ngem 'rails', '~> 7.1'\n${rows((name, range) => `gem '${name}', '${range}'\n`).join('')}`,
        ],
      ]
    default:
      return []
  }
}
