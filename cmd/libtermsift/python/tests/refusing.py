"""What is refused, by the words of the error."""

import unittest
import warnings


class Refusing(unittest.TestCase):
    def refused(self, cases, of=None):
        """Fail unless each of the cases, (text, call) or (text, error, call), raises an error with the text. With of, it is called with the last."""
        for i, (text, *error, call) in enumerate(cases):
            with self.subTest(text=text, case=i), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.assertRaises(*(error or [ValueError])) as caught:
                    of(call) if of else call()
                self.assertIn(text, str(caught.exception))
