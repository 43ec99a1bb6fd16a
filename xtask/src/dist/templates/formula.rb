class WeaveLang < Formula
  desc "Language and toolchain for AI workflows as data"
  homepage "{{ home }}"
  version "{{ version }}"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "{{ url }}/{{ archives["aarch64-apple-darwin"] }}"
      sha256 "{{ sums["aarch64-apple-darwin"] }}"
    end
    on_intel do
      url "{{ url }}/{{ archives["x86_64-apple-darwin"] }}"
      sha256 "{{ sums["x86_64-apple-darwin"] }}"
    end
  end

  on_linux do
    on_arm do
      url "{{ url }}/{{ archives["aarch64-unknown-linux-gnu"] }}"
      sha256 "{{ sums["aarch64-unknown-linux-gnu"] }}"
    end
    on_intel do
      url "{{ url }}/{{ archives["x86_64-unknown-linux-gnu"] }}"
      sha256 "{{ sums["x86_64-unknown-linux-gnu"] }}"
    end
  end

  def install
    bin.install "weave"
    generate_completions_from_executable(bin/"weave", "completions")
    (man1/"weave.1").write Utils.safe_popen_read(bin/"weave", "man")
  end

  test do
    (testpath/"greet.weave").write <<~WEAVE
      agent greeter(name: string) -> string {
        model mini
        system "Greet {% raw %}{{.name}}{% endraw %}"
      }

      workflow greet(name: string) -> string {
        step hello { ask greeter { name: .input.name } }
        end done on hello = .hello
      }
    WEAVE
    system bin/"weave", "check", testpath/"greet.weave"
    assert_match version.to_s, shell_output("#{bin}/weave --version")
  end
end
