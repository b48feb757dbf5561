package stop

import _ "embed" // for the lists

// This file holds the stop lists of other languages than English that Snowball and PostgreSQL
// publish.
var (
	//go:embed danish.txt
	danishWords string
	//go:embed dutch.txt
	dutchWords string
	//go:embed finnish.txt
	finnishWords string
	//go:embed french.txt
	frenchWords string
	//go:embed german.txt
	germanWords string
	//go:embed hungarian.txt
	hungarianWords string
	//go:embed italian.txt
	italianWords string
	//go:embed norwegian.txt
	norwegianWords string
	//go:embed portuguese.txt
	portugueseWords string
	//go:embed russian.txt
	russianWords string
	//go:embed spanish.txt
	spanishWords string
	//go:embed swedish.txt
	swedishWords string
	//go:embed turkish.txt
	turkishWords string
)

// ofSnowball is where the lists are from.
const ofSnowball = "Snowball, stop.txt of the language (BSD, see snowball.LICENSE), without its comments, as PostgreSQL 15 has it"

var languageLists = []list{
	{
		"danish", danishWords, ofSnowball,
		"1bedc9cf5a8830dacf8c4ee0d8b301f0801861756ad0d504431d01047f961b0c", 94,
	},
	{
		"dutch", dutchWords, ofSnowball,
		"e5a2a7c390fe3ad0c0a132586ed11492b635d66a1f426cd89677f80b07bc76a6", 101,
	},
	{
		"finnish", finnishWords, ofSnowball,
		"952af766edc9b8e7ddc877fc464cbd94b91754b5621fdfdd7020568fd4813fcd", 229,
	},
	{
		"french", frenchWords, ofSnowball,
		"6ca60ffd4257c35cc3981d0e923881c3d8b85c8c0f6ef7a6697bd4ae97200fd8", 155,
	},
	{
		"german", germanWords, ofSnowball,
		"46bf0dcec5b5bd83cd7fb96a5283876fdf91cfae7f988252132218545a61d1f7", 231,
	},
	{
		"hungarian", hungarianWords, ofSnowball,
		"cb66b000fe0c852579ab2cb01e086f3d0eef80d650353bcd854958556dcf917d", 198,
	},
	{
		"italian", italianWords, ofSnowball,
		"293d7841f198e4012f49e8e5653c3bfd073a58cea1259fa2c0fcec894167b628", 279,
	},
	{
		"norwegian", norwegianWords, ofSnowball,
		"f7e5b42208ccf1b1f282f9e0f8570e464272762bda5718b6b26750f510a688dc", 172,
	},
	{
		"portuguese", portugueseWords, ofSnowball,
		"5f305fac1d830620eeb9b2a68a1b96bf26f65c2e9257d56c8413d6fb36ed6cac", 203,
	},
	{
		"russian", russianWords, ofSnowball,
		"1743191192b4a4f77fcc216499455dc00c1b8626fdd407076a8deefff80e3d59", 151,
	},
	{
		"spanish", spanishWords, ofSnowball,
		"7450c1f7196c161d9a4e537de43f88bd55cdb64028c808e14587bd7a6ac7be3d", 313,
	},
	{
		"swedish", swedishWords, ofSnowball,
		"2a9d9d756bc4257d49329994f805c712cd5ab6746162e2082752238766c1c0c8", 114,
	},
	{
		"turkish", turkishWords, "PostgreSQL 15, turkish.stop (see postgresql.LICENSE)",
		"f2c7f0c2bd3dba42da700776266831853a3b5f1207fada5c15207334109abb57", 53,
	},
}
