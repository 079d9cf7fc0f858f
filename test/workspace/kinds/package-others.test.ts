/** Packages of Go, Rust, Java and Kotlin, C# and Ruby. */
import { expect, test } from 'vitest'
import { packages } from '../../../src/workspace/kinds/package/kind.ts'
import { breaksBetween, brokenUses, changed, type Files, treeOf, words } from '../helpers.ts'

type Case = { change: Record<string, string | null>; breaks: string[]; uses: string[] }
type Ecosystem = {
  library: Files
  user: Files
  breaking: Record<string, Case>
  compatible: Record<string, Record<string, string | null>>
  /** What `pin` answers of the first broken use of the first case. */
  pin: string
}

const edit = (files: Files, path: string, from: string, to: string) => {
  const text = files[path] ?? ''
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  return { [path]: text.replace(from, to) }
}

const goFiles: Files = {
  'go.mod': 'module github.com/acme/kit\n\ngo 1.23\n',
  'client/client.go': `package client

type Client struct {
	URL  string
	note string
}

func Connect(url string) (*Client, error) {
	return &Client{URL: url}, nil
}

func (c *Client) Close() error { return nil }

func helper() {}
`,
  'internal/x/x.go': 'package x\n\nfunc X() {}\n',
}
const go: Ecosystem = {
  library: goFiles,
  user: {
    'go.mod': 'module github.com/acme/edge\n\nrequire github.com/acme/kit v1.4.2\n',
    'main.go': `package main

import "github.com/acme/kit/client"

func main() {
	c, err := client.Connect("a")
	if err != nil {
		panic(err)
	}
	print(c.URL)
	c.Close()
}
`,
  },
  breaking: {
    'a function is renamed': {
      change: edit(goFiles, 'client/client.go', 'func Connect(', 'func Open('),
      breaks: [
        'renamed github.com/acme/kit/client.Connect → github.com/acme/kit/client.Open: `Connect` is now called `Open` (before client/client.go:8, after client/client.go:8)',
      ],
      uses: ['certain main.go:6 github.com/acme/kit/client.Connect'],
    },
    'a parameter is added': {
      change: edit(goFiles, 'client/client.go', 'Connect(url string)', 'Connect(url string, retries int)'),
      breaks: [
        'required github.com/acme/kit/client.Connect: the new parameter `retries` is required (before client/client.go:8, after client/client.go:8)',
      ],
      uses: ['likely main.go:6 github.com/acme/kit/client.Connect'],
    },
    'a method goes': {
      change: edit(goFiles, 'client/client.go', 'func (c *Client) Close() error { return nil }\n', ''),
      breaks: [
        'removed github.com/acme/kit/client.Client.Close: `Client.Close` was removed (before client/client.go:12)',
      ],
      uses: ['likely main.go:11 github.com/acme/kit/client.Connect().Close'],
    },
    'a field goes': {
      change: {
        'client/client.go': (goFiles['client/client.go'] ?? '')
          .replace('\tURL  string\n', '')
          .replace('URL: url', ''),
      },
      breaks: [
        'removed github.com/acme/kit/client.Client.URL: `Client.URL` was removed (before client/client.go:4)',
      ],
      uses: ['likely main.go:10 github.com/acme/kit/client.Connect().URL'],
    },
  },
  compatible: {
    'a function moves within its package': {
      'client/client.go': (goFiles['client/client.go'] ?? '').replace(
        'func (c *Client) Close() error { return nil }\n',
        '',
      ),
      'client/close.go': 'package client\n\nfunc (c *Client) Close() error { return nil }\n',
    },
    'a variadic parameter is added': edit(
      goFiles,
      'client/client.go',
      'Connect(url string)',
      'Connect(url string, more ...int)',
    ),
    'what is not exported changes': edit(
      goFiles,
      'client/client.go',
      'func helper() {}',
      'func aid(a int) {}',
    ),
    'an internal package changes': { 'internal/x/x.go': 'package x\n\nfunc Y() {}\n' },
    'a comment is written': edit(
      goFiles,
      'client/client.go',
      'func Connect',
      '// Connect opens.\nfunc Connect',
    ),
  },
  pin: 'v1.4.2 go.mod:3',
}

const rustFiles: Files = {
  'Cargo.toml': '[package]\nname = "acme-client"\nversion = "0.4.2"\n',
  'src/lib.rs': 'mod connect;\npub mod net;\n\npub use connect::{connect, Client};\n',
  'src/connect.rs': `pub struct Client {
    pub url: String,
}

pub fn connect(url: &str) -> Client {
    Client { url: url.to_string() }
}

impl Client {
    pub fn close(&self) -> u32 {
        0
    }
}
`,
  'src/net.rs': 'pub fn open() -> u32 {\n    1\n}\n\nfn private() {}\n',
}
const rust: Ecosystem = {
  library: rustFiles,
  user: {
    'Cargo.toml': '[package]\nname = "risk"\n\n[dependencies]\nacme-client = "0.4"\n',
    'src/main.rs': `use acme_client::{connect, Client};
use acme_client::net::open;

fn main() {
    let client: Client = connect("a");
    client.close();
    open();
}
`,
  },
  breaking: {
    'a function is no longer passed on': {
      change: edit(rustFiles, 'src/lib.rs', '{connect, Client}', '{Client}'),
      breaks: [
        'removed acme_client::connect: `connect` is no longer exported by `acme_client` (before src/lib.rs:4)',
      ],
      uses: ['certain src/main.rs:1 acme_client::connect'],
    },
    'a parameter is added': {
      change: edit(rustFiles, 'src/connect.rs', 'connect(url: &str)', 'connect(url: &str, retries: u8)'),
      breaks: [
        'required acme_client::connect: the new parameter `retries` is required (before src/connect.rs:5, after src/connect.rs:5)',
      ],
      uses: ['likely src/main.rs:5 acme_client::connect'],
    },
    'a method becomes private': {
      change: edit(rustFiles, 'src/connect.rs', 'pub fn close', 'fn close'),
      breaks: ['removed acme_client::Client::close: `Client::close` was removed (before src/connect.rs:10)'],
      uses: ['likely src/main.rs:6 acme_client::Client::close'],
    },
    'a function becomes private to the crate': {
      change: edit(rustFiles, 'src/net.rs', 'pub fn open', 'pub(crate) fn open'),
      breaks: [
        'removed acme_client::net::open: `open` is no longer exported by `acme_client::net` (before src/net.rs:1)',
      ],
      uses: ['certain src/main.rs:2 acme_client::net::open'],
    },
  },
  compatible: {
    'a module moves behind what is passed on': {
      'src/lib.rs': 'mod core;\npub mod net;\n\npub use core::{connect, Client};\n',
      'src/connect.rs': null,
      'src/core.rs': rustFiles['src/connect.rs'] ?? '',
    },
    'methods move to another file': {
      'src/lib.rs': `mod methods;\n${rustFiles['src/lib.rs']}`,
      'src/connect.rs': (rustFiles['src/connect.rs'] ?? '').replace(/\nimpl Client[\s\S]*/, ''),
      'src/methods.rs':
        'use crate::Client;\n\nimpl Client {\n    pub fn close(&self) -> u32 {\n        0\n    }\n}\n',
    },
    'a private function goes': edit(rustFiles, 'src/net.rs', '\nfn private() {}\n', ''),
    'a parameter is renamed': {
      'src/connect.rs': (rustFiles['src/connect.rs'] ?? '')
        .replace('connect(url: &str)', 'connect(address: &str)')
        .replace('url.to_string', 'address.to_string'),
    },
    'items may come from a macro': {
      'src/net.rs': 'make! {\n    open\n}\n',
    },
  },
  pin: '0.4 Cargo.toml:5',
}

const clientJava = 'src/main/java/com/acme/Client.java'
const javaFiles: Files = {
  'pom.xml':
    '<project>\n  <groupId>com.acme</groupId>\n  <artifactId>acme-client</artifactId>\n  <version>1.4.2</version>\n</project>\n',
  [clientJava]: `package com.acme;

public class Client {
  public String query(String sql) {
    return clean(sql);
  }

  public static int limit(int most) {
    return most * 2;
  }

  private String clean(String sql) {
    return sql.trim();
  }
}
`,
  'src/main/java/com/acme/Row.java': 'package com.acme;\n\npublic record Row(String name, int size) {}\n',
}
const java: Ecosystem = {
  library: javaFiles,
  user: {
    'pom.xml':
      '<project>\n  <artifactId>ledger</artifactId>\n  <dependencies>\n    <dependency>\n      <artifactId>acme-client</artifactId>\n      <version>1.4.0</version>\n    </dependency>\n  </dependencies>\n</project>\n',
    'src/main/java/org/ledger/Job.java': `package org.ledger;

import com.acme.Client;
import com.acme.Row;

class Job {
  private final Client client = new Client();

  Row start() {
    String text = client.query("a");
    return new Row(text, Client.limit(2));
  }
}
`,
    'src/main/kotlin/org/ledger/Other.kt': `package org.ledger

import com.acme.Client

class Other(private val client: Client) {
  fun start() = client.query("a")
}
`,
  },
  breaking: {
    'a method is renamed': {
      change: edit(javaFiles, clientJava, 'String query(', 'String ask('),
      breaks: [
        `renamed com.acme.Client.query → com.acme.Client.ask: \`Client.query\` is now called \`ask\` (before ${clientJava}:4, after ${clientJava}:4)`,
      ],
      uses: [
        'likely src/main/java/org/ledger/Job.java:10 com.acme.Client.query',
        'likely src/main/kotlin/org/ledger/Other.kt:6 com.acme.Client.query',
      ],
    },
    'a static method gets a parameter': {
      change: edit(javaFiles, clientJava, 'limit(int most)', 'limit(int most, int least)'),
      breaks: [
        `required com.acme.Client.limit: the new parameter \`least\` is required (before ${clientJava}:8, after ${clientJava}:8)`,
      ],
      uses: ['likely src/main/java/org/ledger/Job.java:11 com.acme.Client.limit'],
    },
    'a class moves to another package': {
      change: {
        'src/main/java/com/acme/Row.java': null,
        'src/main/java/com/acme/model/Row.java':
          'package com.acme.model;\n\npublic record Row(String name, int size) {}\n',
      },
      breaks: [
        'removed com.acme.Row: `Row` is no longer exported by `com.acme` (before src/main/java/com/acme/Row.java:3)',
      ],
      uses: ['certain src/main/java/org/ledger/Job.java:4 com.acme.Row'],
    },
    'a method is seen in its package only': {
      change: edit(javaFiles, clientJava, 'public String query', 'String query'),
      breaks: [`removed com.acme.Client.query: \`Client.query\` was removed (before ${clientJava}:4)`],
      uses: [
        'likely src/main/java/org/ledger/Job.java:10 com.acme.Client.query',
        'likely src/main/kotlin/org/ledger/Other.kt:6 com.acme.Client.query',
      ],
    },
  },
  compatible: {
    'an overload is added': edit(
      javaFiles,
      clientJava,
      '  private',
      '  public String query(String sql, int limit) {\n    return sql;\n  }\n\n  private',
    ),
    'a private method is renamed': {
      [clientJava]: (javaFiles[clientJava] ?? '').replaceAll('clean(', 'tidy('),
    },
    'a parameter is renamed': { [clientJava]: (javaFiles[clientJava] ?? '').replaceAll('most', 'top') },
    'a class gets a base type of elsewhere': {
      [clientJava]: (javaFiles[clientJava] ?? '')
        .replace('class Client', 'class Client extends Base')
        .replace(/ {2}public String query[\s\S]*?\n {2}}\n\n/, ''),
    },
    'a class moves to another artifact of the repository': {
      'src/main/java/com/acme/Row.java': null,
      'rows/pom.xml': '<project>\n  <artifactId>acme-rows</artifactId>\n</project>\n',
      'rows/src/main/java/com/acme/Row.java': javaFiles['src/main/java/com/acme/Row.java'] ?? '',
    },
    'a sample changes': {
      'samples/src/main/java/com/acme/Client.java': 'package com.acme;\n\npublic class Client {}\n',
    },
    'a class is added': { 'src/main/java/com/acme/New.java': 'package com.acme;\n\npublic class New {}\n' },
  },
  pin: '1.4.0 pom.xml:6',
}

const csFiles: Files = {
  'src/Acme.Client/Acme.Client.csproj':
    '<Project>\n  <PropertyGroup>\n    <PackageId>Acme.Client</PackageId>\n  </PropertyGroup>\n</Project>\n',
  'src/Acme.Client/Client.cs': `namespace Acme;

public class Client
{
    public string Query(string sql) => Clean(sql);

    public static int Limit(int most) => most * 2;

    private string Clean(string sql) => sql.Trim();
}

public record Row(string Name, int Size);
`,
}
const csPath = 'src/Acme.Client/Client.cs'
const csharp: Ecosystem = {
  library: csFiles,
  user: {
    'Desk/Desk.csproj':
      '<Project>\n  <ItemGroup>\n    <PackageReference Include="Acme.Client" Version="1.4.2" />\n  </ItemGroup>\n</Project>\n',
    'Desk/Job.cs': `using Acme;

namespace Desk;

public class Job
{
    private readonly Client _client = new();

    public Row Start()
    {
        return new Row(_client.Query("a"), Client.Limit(2));
    }
}
`,
  },
  breaking: {
    'a method goes': {
      change: edit(csFiles, csPath, '    public string Query(string sql) => Clean(sql);\n\n', ''),
      breaks: [`removed Acme.Client.Query: \`Client.Query\` was removed (before ${csPath}:5)`],
      uses: ['likely Desk/Job.cs:11 Acme.Client.Query'],
    },
    'a record is renamed': {
      change: edit(csFiles, csPath, 'record Row(', 'record Line('),
      breaks: [`removed Acme.Row: \`Row\` is no longer exported by \`Acme\` (before ${csPath}:12)`],
      uses: ['likely Desk/Job.cs:9 Acme.Row', 'likely Desk/Job.cs:11 Acme.Row'],
    },
    'a class becomes internal': {
      change: edit(csFiles, csPath, 'public class Client', 'internal class Client'),
      breaks: [`removed Acme.Client: \`Client\` is no longer exported by \`Acme\` (before ${csPath}:3)`],
      uses: ['likely Desk/Job.cs:7 Acme.Client'],
    },
    'a static method gets a parameter': {
      change: edit(csFiles, csPath, 'Limit(int most)', 'Limit(int most, int least)'),
      breaks: [
        `required Acme.Client.Limit: the new parameter \`least\` is required (before ${csPath}:7, after ${csPath}:7)`,
      ],
      uses: ['likely Desk/Job.cs:11 Acme.Client.Limit'],
    },
  },
  compatible: {
    'an optional parameter is added': edit(
      csFiles,
      csPath,
      'Query(string sql)',
      'Query(string sql, int limit = 0)',
    ),
    'a private method is renamed': { [csPath]: (csFiles[csPath] ?? '').replaceAll('Clean(', 'Tidy(') },
    'a record moves to its own file': {
      ...edit(csFiles, csPath, '\npublic record Row(string Name, int Size);\n', ''),
      'src/Acme.Client/Row.cs': 'namespace Acme;\n\npublic record Row(string Name, int Size);\n',
    },
    'a record moves to another project': {
      ...edit(csFiles, csPath, '\npublic record Row(string Name, int Size);\n', ''),
      'src/Acme.Rows/Acme.Rows.csproj': '<Project />\n',
      'src/Acme.Rows/Row.cs': 'namespace Acme;\n\npublic record Row(string Name, int Size);\n',
    },
    'a class is written in two files': {
      [csPath]: (csFiles[csPath] ?? '')
        .replace('public class', 'public partial class')
        .replace('    public string Query(string sql) => Clean(sql);\n\n', ''),
      'src/Acme.Client/Client.Query.cs':
        'namespace Acme;\n\npublic partial class Client\n{\n    public string Query(string sql) => Clean(sql);\n}\n',
    },
  },
  pin: '1.4.2 Desk/Desk.csproj:3',
}

const rubyFiles: Files = {
  'acme-client.gemspec': "Gem::Specification.new do |spec|\n  spec.name = 'acme-client'\nend\n",
  'lib/acme.rb': `module Acme
  def self.connect(url, retries: 1)
    url
  end

  class Client
    def initialize(url)
      @url = url
    end

    def close
      @url
    end

    private

    def reset
      @url = nil
    end
  end
end
`,
}
const ruby: Ecosystem = {
  library: rubyFiles,
  user: {
    Gemfile: "gem 'acme-client', '~> 1.4'\n",
    'Gemfile.lock': 'GEM\n  specs:\n    acme-client (1.4.2)\n',
    'app/report.rb': `class Report
  def call
    client = Acme::Client.new('a')
    client.close
    Acme.connect('a')
  end
end
`,
  },
  breaking: {
    'a method is renamed': {
      change: edit(rubyFiles, 'lib/acme.rb', 'def self.connect', 'def self.open'),
      breaks: [
        'renamed Acme.connect → Acme.open: `Acme.connect` is now called `open` (before lib/acme.rb:2, after lib/acme.rb:2)',
      ],
      uses: ['likely app/report.rb:5 Acme.connect'],
    },
    'a keyword becomes required': {
      change: edit(rubyFiles, 'lib/acme.rb', 'retries: 1', 'retries:'),
      breaks: [
        'required Acme.connect: the parameter `retries` is now required (before lib/acme.rb:2, after lib/acme.rb:2)',
      ],
      uses: ['likely app/report.rb:5 Acme.connect'],
    },
    'a class is renamed': {
      change: edit(rubyFiles, 'lib/acme.rb', 'class Client', 'class Session'),
      breaks: [
        'renamed Acme::Client → Acme::Session: `Acme::Client` is now called `Acme::Session` (before lib/acme.rb:6, after lib/acme.rb:6)',
      ],
      uses: ['likely app/report.rb:3 Acme::Client', 'likely app/report.rb:3 Acme::Client'],
    },
    'an instance needs another argument': {
      change: edit(rubyFiles, 'lib/acme.rb', 'initialize(url)', 'initialize(url, key)'),
      breaks: [
        'required Acme::Client: the new parameter `key` is required (before lib/acme.rb:6, after lib/acme.rb:6)',
      ],
      uses: ['likely app/report.rb:3 Acme::Client'],
    },
  },
  compatible: {
    'an optional keyword is added': edit(rubyFiles, 'lib/acme.rb', 'retries: 1', 'retries: 1, wait: 2'),
    'a private method is renamed': edit(rubyFiles, 'lib/acme.rb', 'def reset', 'def restart'),
    'a parameter is renamed': {
      'lib/acme.rb': (rubyFiles['lib/acme.rb'] ?? '')
        .replace('connect(url', 'connect(address')
        .replace('    url\n', '    address\n'),
    },
    'methods may be made at run time': edit(
      rubyFiles,
      'lib/acme.rb',
      '    def close\n      @url\n    end\n',
      '    define_method(:close) { @url }\n',
    ),
    'a class moves to its own file': {
      'lib/acme.rb':
        "require 'acme/client'\n\nmodule Acme\n  def self.connect(url, retries: 1)\n    url\n  end\nend\n",
      'lib/acme/client.rb':
        'module Acme\n  class Client\n    def initialize(url)\n      @url = url\n    end\n\n    def close\n      @url\n    end\n  end\nend\n',
    },
  },
  pin: '1.4.2 Gemfile.lock:3',
}

for (const [language, { library, user, breaking, compatible, pin }] of Object.entries({
  go,
  rust,
  java,
  csharp,
  ruby,
})) {
  for (const [name, { change, breaks, uses }] of Object.entries(breaking))
    test(`${language}: ${name}`, async () => {
      const found = await breaksBetween(packages, library, changed(library, change))
      expect(found.map(words)).toEqual(breaks)
      expect(await brokenUses(packages, found, user)).toEqual(uses)
    })

  for (const [name, change] of Object.entries(compatible))
    test(`${language}, compatible: ${name}`, async () => {
      const after = changed(library, change)
      expect(after).not.toEqual(library)
      expect((await breaksBetween(packages, library, after)).map(words)).toEqual([])
    })

  test(`${language}: the version is pinned`, async () => {
    const [first] = Object.values(breaking)
    const [broken] = await breaksBetween(packages, library, changed(library, first?.change ?? {}))
    const tree = treeOf(user)
    for (const file of await tree.read(await tree.paths()))
      for (const use of await packages.uses(file)) {
        if (!broken || packages.judge(broken, use, file) === null) continue
        const found = await packages.pin?.(broken, use, tree)
        expect(`${found?.version} ${found?.path}:${found?.line}`).toBe(pin)
        return
      }
    throw new Error('no use is broken')
  })

  test(`${language}: who does not depend on it does not use it`, async () => {
    const [first] = Object.values(breaking)
    const found = await breaksBetween(packages, library, changed(library, first?.change ?? {}))
    const stripped = Object.fromEntries(
      Object.entries(user).map(([path, text]) => [
        path,
        /\.(?:go|rs|java|kt|cs|rb)$/.test(path)
          ? text
          : text.replaceAll('acme', 'other').replaceAll('Acme', 'Other'),
      ]),
    )
    expect(await brokenUses(packages, found, stripped)).toEqual([])
  })
}

test('ruby: a constant goes beside methods that are made at run time, and one that is loaded later does not', async () => {
  const made = 'module Acme\n  define_method(:one) { 1 }\nend\n'
  const library = { ...rubyFiles, 'lib/acme/more.rb': made }
  const gone = { 'lib/acme.rb': 'module Acme\n  def self.connect(url, retries: 1)\n    url\n  end\nend\n' }
  const found = await breaksBetween(
    packages,
    library,
    changed(library, { ...gone, 'lib/acme/more.rb': `${made}\n` }),
  )
  const files = { Gemfile: "gem 'acme-client'\n", 'config.ru': 'use Acme::Client\n' }
  expect(await brokenUses(packages, found, files)).toEqual(['likely config.ru:1 Acme::Client'])
  // What another gem depends on is required and in no list; a constant of one's own may lie within one of the gem.
  const required = "require 'acme-client'\n\nAcme::Client.new\n"
  expect(await brokenUses(packages, found, { 'app.rb': required })).toHaveLength(2)
  expect(await brokenUses(packages, found, { 'app.rb': required.split('\n').slice(2).join('\n') })).toEqual(
    [],
  )
  expect(await brokenUses(packages, found, { ...files, 'config.ru': 'use Acme::Client::Own\n' })).toEqual([])
  const later = {
    'lib/acme.rb': `${gone['lib/acme.rb'].slice(0, -4)}  autoload :Client, 'acme/client'\nend\n`,
  }
  expect(await breaksBetween(packages, library, changed(library, later))).toEqual([])
})
