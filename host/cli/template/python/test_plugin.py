"""Tests that need no host: `python3 -m unittest`."""

import unittest

import plugin
from footlight import testing


class PluginTest(unittest.TestCase):
    def test_greeting_names_the_person(self):
        self.assertEqual(plugin.greet("Ada"), "Hello, Ada!")

    def test_counter_is_kept_and_shown(self):
        with testing.stage().with_state("person", "total", 4) as stage:
            self.assertEqual(plugin.count(stage, by=2), "6 so far.")
            self.assertEqual(stage.state_value("person", "total"), 6)
            self.assertEqual(stage.shown[0]["fallback"], "6 so far\n[One more]")


if __name__ == "__main__":
    unittest.main()
