package stop

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/termsift/termsift/internal/testkit"
)

func TestListsAreAsPublished(t *testing.T) {
	published := map[string]struct {
		sha256   string
		distinct int
	}{
		"chinese":    {"48f9c36bfc730ef966b2a4f43a23164bc3507c5c321f31a6b0657919cec205ef", 794},
		"danish":     {"1bedc9cf5a8830dacf8c4ee0d8b301f0801861756ad0d504431d01047f961b0c", 94},
		"dutch":      {"e5a2a7c390fe3ad0c0a132586ed11492b635d66a1f426cd89677f80b07bc76a6", 101},
		"english":    {"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174},
		"finnish":    {"952af766edc9b8e7ddc877fc464cbd94b91754b5621fdfdd7020568fd4813fcd", 229},
		"french":     {"6ca60ffd4257c35cc3981d0e923881c3d8b85c8c0f6ef7a6697bd4ae97200fd8", 155},
		"german":     {"46bf0dcec5b5bd83cd7fb96a5283876fdf91cfae7f988252132218545a61d1f7", 231},
		"glasgow":    {"a72d82495d4a0733625aeff0a7b5be0badde29cffddb5f0b07d64c575dea42f9", 319},
		"hungarian":  {"cb66b000fe0c852579ab2cb01e086f3d0eef80d650353bcd854958556dcf917d", 198},
		"italian":    {"293d7841f198e4012f49e8e5653c3bfd073a58cea1259fa2c0fcec894167b628", 279},
		"norwegian":  {"f7e5b42208ccf1b1f282f9e0f8570e464272762bda5718b6b26750f510a688dc", 172},
		"portuguese": {"5f305fac1d830620eeb9b2a68a1b96bf26f65c2e9257d56c8413d6fb36ed6cac", 203},
		"russian":    {"1743191192b4a4f77fcc216499455dc00c1b8626fdd407076a8deefff80e3d59", 151},
		"smart":      {"0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823", 570},
		"snowball":   {"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174},
		"spanish":    {"7450c1f7196c161d9a4e537de43f88bd55cdb64028c808e14587bd7a6ac7be3d", 313},
		"swedish":    {"2a9d9d756bc4257d49329994f805c712cd5ab6746162e2082752238766c1c0c8", 114},
		"turkish":    {"f2c7f0c2bd3dba42da700776266831853a3b5f1207fada5c15207334109abb57", 53},
	}
	for _, name := range Lists() {
		if name == "none" || name == sklearn {
			continue
		}
		want := published[name]
		file := strings.Replace(name, english, "snowball", 1)
		list := testkit.Must(files.ReadFile(file + ".txt"))
		sum := sha256.Sum256(list)
		if got := hex.EncodeToString(sum[:]); got != want.sha256 {
			t.Errorf("%s: sha256 %s, want %s", name, got, want.sha256)
		}
		if n := len(Words(name)); n != want.distinct {
			t.Errorf("%s: %d words, want %d", name, n, want.distinct)
		}
		if n := len(strings.Fields(string(list))); name == "smart" && n != 571 { // one of them twice
			t.Errorf("smart: %d entries", n)
		}
	}
	if n := len(Lists()); n != len(published)+2 {
		t.Errorf("%d lists, want %d", n, len(published)+2)
	}
	if n := len(Words(sklearn)); n != 318 {
		t.Errorf("sklearn: %d words", n)
	}
	if n := len(Words("none")); n != 0 {
		t.Errorf("none: %d words", n)
	}
}
