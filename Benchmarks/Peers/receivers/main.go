// Receivers: N viewers in one process, the same for every sender under test.
//
// Each offers one recvonly H.264 track (and a data channel when asked), counts what arrives and sends the usual
// feedback (receiver reports, NACK, transport-wide). Signalling goes through files in a folder, so that it works
// across network namespaces: N.offer is written here, N.answer by the sender. For Janus its HTTP interface is used.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v3"
)

var (
	count       = flag.Int("n", 50, "viewers")
	exchange    = flag.String("exchange", "", "folder for offers and answers")
	janus       = flag.String("janus", "", "address of Janus' HTTP interface, instead of a folder")
	mountpoint  = flag.Int("mountpoint", 1, "Janus streaming mountpoint")
	seconds     = flag.Int("seconds", 10, "how long to receive after all are connected")
	settle      = flag.Int("settle", 3, "seconds to wait after connecting before the measurement begins")
	dataChannel = flag.Bool("datachannel", true, "open a data channel")
	loopback    = flag.Bool("loopback", true, "use the loopback interface too")
)

var packets, payload, tracks int64

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "receivers:", err)
		os.Exit(1)
	}
}

func newPeer() *webrtc.PeerConnection {
	engine := &webrtc.MediaEngine{}
	fail(engine.RegisterDefaultCodecs())
	registry := &interceptor.Registry{}
	fail(webrtc.RegisterDefaultInterceptors(engine, registry))
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(*loopback)
	api := webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
	peer, err := api.NewPeerConnection(webrtc.Configuration{})
	fail(err)
	peer.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		atomic.AddInt64(&tracks, 1)
		buffer := make([]byte, 1500)
		for {
			n, _, err := track.Read(buffer)
			if err != nil {
				return
			}
			atomic.AddInt64(&packets, 1)
			atomic.AddInt64(&payload, int64(n-12))
		}
	})
	return peer
}

func gathered(peer *webrtc.PeerConnection, description webrtc.SessionDescription) string {
	done := webrtc.GatheringCompletePromise(peer)
	fail(peer.SetLocalDescription(description))
	<-done
	return peer.LocalDescription().SDP
}

func connectThroughFiles(number int) *webrtc.PeerConnection {
	peer := newPeer()
	if *dataChannel {
		_, err := peer.CreateDataChannel("oriel", nil)
		fail(err)
	}
	_, err := peer.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly})
	fail(err)
	offer, err := peer.CreateOffer(nil)
	fail(err)
	name := filepath.Join(*exchange, fmt.Sprint(number))
	fail(os.WriteFile(name+".part", []byte(gathered(peer, offer)), 0o600))
	fail(os.Rename(name+".part", name+".offer"))
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		answer, err := os.ReadFile(name + ".answer")
		if err == nil {
			fail(peer.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: string(answer)}))
			return peer
		}
		if time.Now().After(deadline) {
			fail(fmt.Errorf("no answer for viewer %d", number))
		}
	}
}

func ask(path string, body map[string]interface{}) map[string]interface{} {
	body["transaction"] = "t"
	text, err := json.Marshal(body)
	fail(err)
	response, err := http.Post(*janus+path, "application/json", bytes.NewReader(text))
	fail(err)
	defer response.Body.Close()
	var answer map[string]interface{}
	fail(json.NewDecoder(response.Body).Decode(&answer))
	return answer
}

func identifier(answer map[string]interface{}) string {
	return fmt.Sprintf("%.0f", answer["data"].(map[string]interface{})["id"].(float64))
}

func connectThroughJanus(number int) *webrtc.PeerConnection {
	session := "/" + identifier(ask("", map[string]interface{}{"janus": "create"}))
	handle := session + "/" + identifier(ask(session, map[string]interface{}{"janus": "attach", "plugin": "janus.plugin.streaming"}))
	ask(handle, map[string]interface{}{"janus": "message", "body": map[string]interface{}{"request": "watch", "id": *mountpoint}})
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		response, err := http.Get(*janus + session + "?maxev=1")
		fail(err)
		var event map[string]interface{}
		fail(json.NewDecoder(response.Body).Decode(&event))
		response.Body.Close()
		jsep, found := event["jsep"].(map[string]interface{})
		if !found {
			continue
		}
		peer := newPeer()
		fail(peer.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: jsep["sdp"].(string)}))
		answer, err := peer.CreateAnswer(nil)
		fail(err)
		sdp := gathered(peer, answer)
		ask(handle, map[string]interface{}{"janus": "message", "body": map[string]interface{}{"request": "start"},
			"jsep": map[string]interface{}{"type": "answer", "sdp": sdp}})
		go func() { // Janus ends a session that nobody polls.
			for {
				response, err := http.Get(*janus + session + "?maxev=10")
				if err != nil {
					return
				}
				response.Body.Close()
			}
		}()
		return peer
	}
	fail(fmt.Errorf("Janus made no offer for viewer %d", number))
	return nil
}

func main() {
	flag.Parse()
	var peers []*webrtc.PeerConnection
	for number := 0; number < *count; number++ {
		if *janus != "" {
			peers = append(peers, connectThroughJanus(number))
		} else {
			peers = append(peers, connectThroughFiles(number))
		}
	}
	for deadline := time.Now().Add(20 * time.Second); atomic.LoadInt64(&tracks) < int64(*count); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			fail(fmt.Errorf("only %d of %d viewers receive", atomic.LoadInt64(&tracks), *count))
		}
	}
	time.Sleep(time.Duration(*settle) * time.Second)
	atomic.StoreInt64(&packets, 0)
	atomic.StoreInt64(&payload, 0)
	fmt.Println("measure")
	began := time.Now()
	time.Sleep(time.Duration(*seconds) * time.Second)
	elapsed := time.Since(began).Seconds()
	answer, _ := json.Marshal(map[string]interface{}{
		"viewers": *count, "seconds": elapsed, "packets_per_viewer_second": float64(atomic.LoadInt64(&packets)) / elapsed / float64(*count),
		"bits_per_viewer_second": float64(atomic.LoadInt64(&payload)) * 8 / elapsed / float64(*count)})
	fmt.Println(string(answer))
	for _, peer := range peers {
		peer.Close()
	}
}
