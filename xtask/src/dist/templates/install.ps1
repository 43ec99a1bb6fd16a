# Installs weave {{ version }}: downloads the archive for this machine, verifies its checksum, and puts the binary into a folder.
#
#   $env:WEAVE_INSTALL_DIR   the folder of the binary (default: %LOCALAPPDATA%\Programs\weave)
#   $env:WEAVE_DOWNLOAD_URL  where the archives are (default: the release on the project's page)
$ErrorActionPreference = "Stop"

$version = "{{ version }}"
$url = if ($env:WEAVE_DOWNLOAD_URL) { $env:WEAVE_DOWNLOAD_URL } else { "{{ home }}/releases/download/v$version" }
$folder = if ($env:WEAVE_INSTALL_DIR) { $env:WEAVE_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA "Programs\weave" }
$machine = switch ($env:PROCESSOR_ARCHITECTURE) {
  "AMD64" { "x86_64" }
  "ARM64" { "aarch64" }
  default { throw "there is no archive for $env:PROCESSOR_ARCHITECTURE" }
}
$name = "weave-$version-$machine-pc-windows-msvc"
$temporary = Join-Path ([System.IO.Path]::GetTempPath()) ([System.IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $temporary | Out-Null
try {
  $archive = Join-Path $temporary "$name.zip"
  Invoke-WebRequest -UseBasicParsing -Uri "$url/$name.zip" -OutFile $archive
  Invoke-WebRequest -UseBasicParsing -Uri "$url/$name.zip.sha256" -OutFile "$archive.sha256"
  $expected = ((Get-Content "$archive.sha256" -Raw) -split "\s+")[0]
  $actual = (Get-FileHash -Algorithm SHA256 $archive).Hash.ToLowerInvariant()
  if ($expected -ne $actual) {
    throw "the checksum of $name.zip is $actual, but $expected was expected; nothing was installed"
  }
  Expand-Archive -Path $archive -DestinationPath $temporary
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  Copy-Item -Force (Join-Path $temporary "$name\weave.exe") (Join-Path $folder "weave.exe")
  Write-Output "Installed $(& (Join-Path $folder 'weave.exe') --version) as $(Join-Path $folder 'weave.exe')"
  if (($env:PATH -split ";") -notcontains $folder) {
    Write-Output "Add $folder to your PATH."
  }
} finally {
  Remove-Item -Recurse -Force $temporary
}
