#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# look.pl BROWSER LOOK.JS PROFILE: for each line "PAGE WIDTH desk|dark|print" of
# stdin, what is wrong with that page as LOOK.JS says, which sees screenshots of
# it; at last "looked at N figures".
#
# By the DevTools protocol, through pipes: one browser for all pages, and no
# sockets.  Perl, as Automake needs it and JSON is among its own modules.
use strict;
use warnings;
use Fcntl qw(F_DUPFD);
use JSON::PP;
use POSIX ();

my ($browser, $js, $profile) = @ARGV;
my ($to, $from, $child, $session);
my $last = 0;    # the number of the last call

sub start {
  pipe(my $in, $to) && pipe($from, my $out) or die "look: pipes: $!\n";
  $child = fork() // die "look: fork: $!\n";
  if ($child) {
    $to->autoflush(1);
    return;
  }
  # The browser reads 3 and writes 4; first out of their way.
  my ($reads, $writes) = map { fcntl $_, F_DUPFD, 10 } $in, $out;
  POSIX::dup2($reads, 3);
  POSIX::dup2($writes, 4);
  POSIX::close($_) for $reads, $writes;
  open STDIN,  '<', '/dev/null';
  open STDOUT, '>', '/dev/null';
  open STDERR, '>', '/dev/null';
  exec $browser, qw(--headless --no-sandbox --disable-gpu --hide-scrollbars
    --disable-dev-shm-usage --remote-debugging-pipe), "--user-data-dir=$profile",
    'about:blank'
    or POSIX::_exit(127);
}

# The next message, as text: a screenshot is no work for a parser.
sub message {
  local $/ = "\0";
  my $text = <$from> // die "look: the browser ends\n";
  chomp $text;
  return $text;
}

# The answer to METHOD, as text; events are left out.
sub call {
  my ($method, $params) = @_;
  my %call = (id => ++$last, method => $method, params => $params // {});
  $call{sessionId} = $session if $session;
  print $to encode_json(\%call), "\0";
  while (1) {
    my $text = message();
    next if $text !~ /^\{"id":$last,/;
    die "look: $method: $text\n" if $text =~ /^\{"id":$last,"error"/;
    return $text;
  }
}

# What EXPRESSION is in the page, once it is known.
sub value {
  my $text = call('Runtime.evaluate',
    {expression => $_[0], awaitPromise => \1, returnByValue => \1});
  my $result = decode_json($text)->{result};
  die 'look: ', $result->{exceptionDetails}{exception}{description}, "\n"
    if $result->{exceptionDetails};
  return $result->{result}{value};
}

sub screen {
  my ($width, $height) = @_;
  call('Emulation.setDeviceMetricsOverride',
    {width => 0 + $width, height => 0 + $height, deviceScaleFactor => 1,
      mobile => \0});
}

sub load {
  my ($page, $width, $way) = @_;
  screen($width, 900);
  call('Emulation.setEmulatedMedia',
    {media => $way eq 'print' ? 'print' : 'screen',
      features => [{name => 'prefers-color-scheme',
          value => $way eq 'dark' ? 'dark' : 'light'}]});
  call('Page.navigate', {url => "file://$page"});
  while (message() !~ /"method":"Page.loadEventFired"/) { }
}

# Figures that scroll are seen in several screenshots.
sub look {
  my ($page, $width, $way) = @_;
  my $figures = value('look()');
  for my $figure (0 .. $figures - 1) {
    screen($width, value("height_of($figure)"));
    for (my $step = 0; value("scroll_to($figure, $step)"); $step++) {
      my ($shot) = call('Page.captureScreenshot',
        {format => 'png', optimizeForSpeed => \1}) =~ /"data":"([^"]*)"/;
      value("see($figure, 'data:image/png;base64,$shot')");
    }
    value("tell($figure)");
  }
  my $wrong = value('wrong');
  binmode STDOUT, ':utf8';
  print map { "$_\n" } @$wrong, "looked at $figures figures";
}

$| = 1;
alarm 600;    # of a browser that hangs
start();
my ($target) = call('Target.createTarget', {url => 'about:blank'}) =~
  /"targetId":"([^"]*)"/;
my ($attached) = call('Target.attachToTarget',
  {targetId => $target, flatten => \1}) =~ /"sessionId":"([^"]*)"/;
$session = $attached;
call('Page.enable');
open my $script, '<', $js or die "look: $js: $!\n";
my $source = do { local $/; <$script> };
while (my $line = <STDIN>) {
  my ($page, $width, $way) = split ' ', $line;
  load($page, $width, $way);
  value("$source; 0");
  look($page, $width, $way);
}
undef $session;
call('Browser.close');
waitpid $child, 0;
