/** A formula for Homebrew: the npm package under Homebrew's own Node, with completions and the man page. */

/** `url`: where the tarball will be. */
export function homebrewFormula(url: string, sha256: string): string {
  return `class Sightline < Formula
  desc "Evidence-first code reviewer"
  homepage "${new URL('.', url).href}"
  url "${url}"
  sha256 "${sha256}"
  license "Apache-2.0"

  depends_on "git"
  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
    generate_completions_from_executable(bin/"sightline", "completions")
    (man1/"sightline.1").write Utils.safe_popen_read(bin/"sightline", "manual")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sightline version")
    system "git", "init"
    (testpath/"one.py").write "print(1)\\n"
    system "git", "add", "."
    assert_match "No findings", shell_output("#{bin}/sightline review --staged")
  end
end
`
}
