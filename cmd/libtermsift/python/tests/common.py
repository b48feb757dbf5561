"""What tests share."""

import importlib.util
import unittest
import warnings


def needs(*packages):
    """Return what skips a test where one of the packages is missing."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"needs {''.join(missing[:1])}")


class Refusing(unittest.TestCase):
    """Tests of what is refused, by the words of the error."""

    def refused(self, cases, of=None):
        """Fail unless each of the cases, (text, call) or (text, error, call), raises an error with the text. With of, it is called with the last."""
        for i, (text, *error, call) in enumerate(cases):
            with self.subTest(text=text, case=i), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.assertRaises(*(error or [ValueError])) as caught:
                    of(call) if of else call()
                self.assertIn(text, str(caught.exception))
